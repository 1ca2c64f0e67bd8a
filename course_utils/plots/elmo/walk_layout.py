"""Where the parts of ELMo stand in the drawing of a word's path, in the drawing's own pixels."""

WIDTH, HEIGHT = 940, 492
COLUMNS = (160, 340, 520)  # middles of the three words
CELLS, CELL = 10, 11  # numbers of a vector that are drawn, and how wide each is
STRIP, TALL = CELLS * CELL, 24
SIDE = 72  # from a column's middle to the wires that go up
FORWARD_2, BACK_2 = 46, 80
FORWARD_1, BACK_1 = 140, 174
TOKEN, HIGHWAY, FEATURES, LETTERS, WORDS = 234, 276, 310, 346, 398
LETTER = 20  # width of a slot
MIX_LEFT, WEIGHT = 622, 856  # the mix: its vectors, and their shares
MIX_ROWS, SUM = (234, 157, 80), 14  # layers 0, 1 and 2; the sum
EQUATION, NUMBERS = 440, 474
