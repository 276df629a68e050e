"""The decisions and the strategies that ginsim ships for two-player gin."""
