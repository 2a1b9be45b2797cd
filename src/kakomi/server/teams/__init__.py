"""Teams of people: who founds them, who belongs to them, and who leads."""
