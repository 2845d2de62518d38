"""The stock of lines that verses are made of."""

FIVES: tuple[str, ...] = (
    "An old stone remains", "The lamp learns to wait", "Cold tea on the sill", "Nobody counts them", "One leaf turns over",
    "Dust on the old keys", "The gate stands open", "A train, far away", "Light moves down the wall", "Salt dries on the rope",
    "Snow has kept no tracks", "The kettle starts up", "Moss over the steps", "A door left ajar", "Small boats turn around",
)  # fmt: skip

SEVENS: tuple[str, ...] = (
    "the river forgets its name", "somebody folds one letter", "two sparrows argue all day", "a shadow crosses the field",
    "the wind looks into each room", "the same song, a little slow", "rain writes it down on the glass", "the clock and the heart keep time",
    "a child counts up to a star", "the moon lends its coat to us", "old footprints fill up with sky", "the orchard drops what it knows",
)  # fmt: skip

ACROSTIC: dict[str, tuple[str, ...]] = {
    "A": ("All of it began with a question", "And nobody was in a hurry"), "B": ("Between two lines there is room", "Bright things rarely last"),
    "C": ("Carry only what you use", "Count the lamps along the quay"), "D": ("Doubt is a kind of care", "Down the hill the voices go"),
    "E": ("Every morning is a draft", "Even stones are on their way"), "F": ("Few words, and the right ones", "Follow the sound of water"),
    "G": ("Give the hard part more time", "Grass remembers where you sat"), "H": ("Half of patience is weather", "Hold the light a little higher"),
    "I": ("In the margin stands the answer", "If it rains we stay and talk"), "J": ("Just before the end, a turn", "July lies on the roofs"),
    "K": ("Keep the window on the latch", "Knots come loose when nobody pulls"), "L": ("Let the first attempt be bad", "Late trains still arrive"),
    "M": ("Most of it is listening", "Maps are folded paper hills"), "N": ("Nothing here is wasted", "Night puts the edges away"),
    "O": ("Over the wall an apple tree", "One step, then look around"), "P": ("Paper holds what people drop", "Put the kettle on and think"),
    "Q": ("Quiet is not the same as empty", "Questions open like doors"), "R": ("Rivers never ask the way", "Read it once more, slowly"),
    "S": ("Somewhere a piano is tuned", "Small repairs keep houses up"), "T": ("Time is kind to second drafts", "The long way has the view"),
    "U": ("Under the noise there is a tune", "Until the ink is dry, wait"), "V": ("Voices carry over water", "Very little is for ever"),
    "W": ("Winter has its own green", "What is left out also speaks"), "X": ("X marks only where we looked", "Xylophones in the rain"),
    "Y": ("Yesterday has left its coat", "You may begin anywhere"), "Z": ("Zigzag is a way uphill", "Zero is where counting rests"),
}  # fmt: skip

COUPLETS: tuple[tuple[str, str, str, str], ...] = (
    ("they spoke of {s} in the hall,", "as if it were a thing of air;", "I wrote its name upon the wall,", "and in the morning it was there."),
    ("{s} does not knock, it comes inside", "and puts its shoes beside the door;", "it has no secret left to hide", "and asks for nothing any more."),
    ("I looked for {s} in a book,", "the index had it not at all;", "then someone said: go out and look,", "and I have seen it since the fall."),
    ("tell me of {s}, and tell it slow,", "the way a river tells of rain;", "what I forget I did not know,", "what I remember comes again."),
    ("between the clock and {s} I stand,", "with half a line and half a day,", "a piece of chalk in either hand", "and not a single word to say."),
    ("the years have taken this and that,", "but {s} they let alone;", "it sits there like a sleeping cat", "upon a sunlit stone."),
)  # fmt: skip

PUNS: tuple[tuple[str, str], ...] = (
    ("Why did the two functions stop calling each other?", "They had constant arguments."),
    ("I would tell you a joke about UDP,", "but you might not get it."),
    (
        "Why was the statistician never lost?",
        "She always knew where she stood, give or take two standard deviations.",
    ),
    ("What did the ocean say to the shore?", "Nothing. It just waved."),
    ("Why do bakers make poor programmers?", "They cannot stop kneading to roll back."),
    ("A database walks up to two tables and asks:", "“May I join you?”"),
    ("Why did the clock get a bad report?", "It tocked too much."),
    ("There are ten kinds of people:", "those who read binary, and those who do not."),
)
