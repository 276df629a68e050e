"""The player that draws the hidden cards again and again and plays each choice to the end of the hand."""
