"""When people rest from games over days: vacations, weekends, and hours of sleep."""
