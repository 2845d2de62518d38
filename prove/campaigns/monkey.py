"""Sentences, keys and clicks at random moments of battles, chats, consortia and comparisons, in a real browser."""

from random import Random

from prove.campaign import Batch, Campaign, Tally
from prove.monkey import ACTS, MODES, PLANTED, at_the_page, one_sitting


class Monkey:
    name = "monkey"
    guarantee = (
        "Typing, keys and clicks at random moments never vote, delete or lead away unasked; no page goes blank, and "
        "nothing that was typed is lost."
    )
    trials = 300
    batch = 60
    sample = 4

    def run(self, batch: Batch) -> Tally:
        tally = Tally()
        with at_the_page(batch.folder / f"{batch.first}", Random(batch.seed)) as (browser, url):
            for trial in range(batch.first, batch.first + batch.count):
                mode = MODES[trial % len(MODES)]
                wrong = one_sitting(browser, url, batch.chance(trial), mode)
                tally.failures += [f"{mode}, sitting {trial}: {each}" for each in dict.fromkeys(wrong)]
                tally.trials += 1
                batch.step()
        return tally

    def control(self, batch: Batch) -> Tally:
        """Plant each fault; where one of them is not seen, nothing was."""
        total = Tally()
        with at_the_page(batch.folder, Random(batch.seed)) as (browser, url):
            for fault in PLANTED:
                wrong: list[str] = []
                for trial in range(batch.count):
                    wrong = one_sitting(browser, url, batch.chance(trial), "battle", fault)
                    total.trials += 1
                    if wrong:
                        break
                if not wrong:
                    return Tally(trials=total.trials)
                total.failures += [f"{fault}: {each}" for each in wrong]
        return total

    def summary(self, tally: Tally) -> str:
        return f"{tally.trials} sittings of {ACTS} whims in Chromium: {', '.join(MODES)}"


CAMPAIGNS: list[Campaign] = [Monkey()]
