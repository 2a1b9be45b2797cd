"""What is asked of tables: begin one, sit down, look, act, listen."""
