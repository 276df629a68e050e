"""The house-rules table game for two to six: melds on the table, no knocking."""
