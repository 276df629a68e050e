"""The decisions and the strategies that ginsim ships for the table game."""
