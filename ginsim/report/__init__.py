"""What a study leaves to read: tables, plots and pages."""
