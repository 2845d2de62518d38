"""Dashboards: lists of cards."""

from parley.features.usage.schemas import Card, Dashboard

FIGURES = (
    Card(title="Cost", measure="cost", kind="figure", by=["day"], value="cost_micros"),
    Card(title="Tokens", measure="tokens", kind="figure", by=["day"]),
    Card(title="Turns", measure="turns", kind="figure", by=["day"], value="turns"),
    Card(title="People", measure="turns", kind="figure", by=["day"], value="people"),
    Card(title="First token, p50", measure="first_token", kind="figure", by=["day"], value="p50"),
    Card(title="Errors", measure="errors", kind="figure", by=["day"], value="rate"),
)

COST = Card(title="Cost", measure="cost", kind="stacked", by=["day", "model"], value="cost_micros")
TOKENS = Card(title="Tokens", measure="tokens", kind="stacked", by=["day"])
FIRST_TOKEN = Card(title="First token", measure="first_token", kind="line", by=["day"])
ERRORS = Card(title="Errors", measure="errors", kind="bars", by=["model"], value="rate")
CACHE = Card(title="Cache", measure="cache", kind="line", by=["day"])
WIN_RATE = Card(title="Win rate", measure="win_rate", kind="ranges", by=["model"])
ENGAGEMENT = Card(title="Engagement", measure="engagement", kind="table", by=["week"])
ROUTING = Card(title="Auto", measure="routing", kind="table", by=["week"])
CONSORTIUM = Card(title="Consortia", measure="consortium", kind="table", by=["week"])
TEAM = Card(title="Teams", measure="team", kind="table", by=["week"])
MODES = Card(title="Cost", measure="cost", kind="bars", by=["mode"], value="cost_micros")
PAYERS = Card(title="Cost by key", measure="cost", kind="bars", by=["payer"], value="cost_micros")
PEOPLE = Card(title="Cost", measure="cost", kind="bars", by=["person"], value="cost_micros")

INSTALLATION = Dashboard(
    of="installation",
    title="Installation",
    cards=[
        *FIGURES,
        *(
            COST,
            TOKENS,
            FIRST_TOKEN,
            WIN_RATE,
            ERRORS,
            PEOPLE,
            PAYERS,
            MODES,
            CACHE,
            ENGAGEMENT,
            ROUTING,
            CONSORTIUM,
            TEAM,
        ),
    ],
)
WORKSPACE = Dashboard(
    of="workspace",
    title="Workspace",
    cards=[
        *FIGURES,
        COST,
        TOKENS,
        FIRST_TOKEN,
        PEOPLE,
        PAYERS,
        MODES,
        ERRORS,
        ENGAGEMENT,
        ROUTING,
        CONSORTIUM,
        TEAM,
    ],
)
PERSONAL = Dashboard(
    of="me",
    title="Your month",
    cards=[
        *(card for card in FIGURES if card.title != "People"),
        COST,
        PAYERS,
        TOKENS,
        Card(title="Your favourites", measure="win_rate", kind="ranges", by=["model"]),
        *(MODES, FIRST_TOKEN, ERRORS, ENGAGEMENT, ROUTING, CONSORTIUM, TEAM),
    ],
)
