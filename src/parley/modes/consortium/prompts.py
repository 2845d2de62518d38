"""Prompts for members and the arbiter: the formats of llm-consortium, in our own words."""

from collections.abc import Sequence

import msgspec

from parley.modes.consortium.brief import Judging
from parley.modes.consortium.notes import Synthesis, Verdict
from parley.text.lenient_xml import escape

MEMBER_RULES = """\
You are one of several members of a consortium. Each member answers on its own; an arbiter then brings the answers \
together. Work in this order:

1. Read the instructions with care and note what the question needs.
2. Think inside <thought_process> tags: the points that matter, the difficulties, the ways you could go, and why \
you choose one.
3. Give your answer inside <answer> tags. It must stand on its own: write it for the person who asked.
4. Say inside <confidence> tags how sure you are of it, as a number from 0 (a guess) to 1 (certain).

Your reply has this form:

<thought_process>
your thoughts
</thought_process>
<answer>
your answer
</answer>
<confidence>
a number from 0 to 1
</confidence>"""

AGAIN = """\
This is another round on the same question. Look critically at the previous synthesis: keep what holds, correct what \
is wrong, and work on the refinement areas. Do not give up a point that you can defend. Reply in the form you know: \
<thought_process>, <answer> with your whole improved answer, <confidence>."""

_WEIGH = """\
You are the arbiter of a consortium. Its members answered the question above without seeing each other's answers.

1. Read the question and every answer.
2. Note which points each answer makes, where the answers agree, and where they contradict each other.
3. Judge by reasons and correctness, not by majority or length. If one answer is clearly best, build on it."""

_SYNTHESIS = """\
4. Write the one answer that the person should get. It speaks to the person alone: no word about members, answers or \
this procedure. If there are user instructions, it keeps to them.
5. Say what a member holds against it and deserves to be known, how sure you are, whether another round would help, \
and which points it should work on.

Reply in this form:

<synthesis_output>
<first_impression>
what strikes you at first about the answers
</first_impression>
<analysis>
how you came from the answers to your synthesis, in short
</analysis>
<dissent>
views that are not in the synthesis and are worth knowing, and whose they are; nothing if there are none
</dissent>
<synthesis>
the answer for the person
</synthesis>
<confidence>
a number from 0 (a guess) to 1 (certain)
</confidence>
<refinement_areas>
<area>a point that another round should work on</area>
</refinement_areas>
<needs_iteration>
true or false
</needs_iteration>{ranking}
</synthesis_output>"""

_RANKING_ITEM = """
<ranking>
<rank position="1">ID of the best answer</rank>
<rank position="2">ID of the next</rank>
</ranking>"""

_RANK = """\
4. Rank all answers from best to worst; the best one is given to the person as it is.

Reply with their ids in this form, and say how sure you are that the best one is right:

<analysis>
why in this order, in short
</analysis>
<ranking>
<rank position="1">ID of the best answer</rank>
<rank position="2">ID of the next</rank>
</ranking>
<confidence>
a number from 0 to 1
</confidence>"""

_PICK_ONE = """\
4. Pick the one answer that is given to the person as it is.

Reply with its id in this form, and say how sure you are that it is right:

<analysis>
why this one, in short
</analysis>
<ranking>
<rank position="1">ID of the best answer</rank>
</ranking>
<confidence>
a number from 0 to 1
</confidence>"""

_COUNCIL = """\
You are one of the members that answered this question. The answers above are those of the others, without names. \
Rank all of them from best to worst by how right and how useful they are. Reply with nothing but:

<ranking>
<rank position="1">ID of the best answer</rank>
<rank position="2">ID of the next</rank>
</ranking>"""

GENERATOR = (
    "Generator: solve the problem straight away, in the best way that is known. Be complete and concrete."
)
ADVOCATE = (
    "Devil's advocate: assume that the obvious answer is wrong. Look for what speaks against it, "
    "and for another way."
)
CHECKER = (
    "Fact checker: hold to what can be shown. Check numbers, names and logic, look for edge cases, and say what is "
    "not certain."
)
ROLES = (GENERATOR, ADVOCATE, CHECKER)


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """An answer as a judge sees it; its id is its position in the list, from 1."""

    name: str
    instance: int
    confidence: float | None
    response: str
    mean_rank: float | None = None


def member_rules(system_prompt: str | None, role: str | None) -> str:
    """Return the system message of a member."""
    parts = [MEMBER_RULES]
    if system_prompt:
        parts.append(f"<user_instructions>{escape(system_prompt)}</user_instructions>")
    if role:
        parts.append(f"<role>{escape(role)}</role>\nKeep to this role in everything you think and answer.")
    return "\n\n".join(parts)


def first_prompt(prompt: str) -> str:
    """Return a member's prompt in the first round."""
    return f"<prompt><instruction>{escape(prompt)}</instruction></prompt>"


def iteration_prompt(prompt: str, system_prompt: str | None, verdict: Verdict) -> str:
    """Return a member's prompt in later rounds."""
    return f"""\
<iteration_prompt>
<user_instructions>{escape(system_prompt or "")}</user_instructions>
<original_prompt>{escape(prompt)}</original_prompt>
<previous_synthesis>{escape(msgspec.json.encode(Synthesis.of(verdict)).decode())}</previous_synthesis>
<refinement_areas>
{_format_areas(verdict.refinement_areas)}
</refinement_areas>
</iteration_prompt>

{AGAIN}"""


def arbiter_prompt(
    prompt: str,
    system_prompt: str | None,
    shown: Sequence[Shown],
    history: Sequence[Verdict],
    *,
    judging: Judging,
    ranked: bool,
) -> str:
    """Return the arbiter's prompt; `ranked`: its synthesis must include a ranking of the answers."""
    rounds = "\n".join(_format_round(verdict) for verdict in history)
    task = {
        "default": _SYNTHESIS.replace("{ranking}", _RANKING_ITEM if ranked else ""),
        "rank": _RANK,
        "pick-one": _PICK_ONE,
    }[judging]
    return f"""\
<arbiter_prompt>
<user_instructions>{escape(system_prompt or "")}</user_instructions>
<original_prompt>{escape(prompt)}</original_prompt>
<model_responses>
{_format_responses(shown)}
</model_responses>
<iteration_history>
{rounds}
</iteration_history>
</arbiter_prompt>

{_WEIGH}
{task}"""


def council_prompt(prompt: str, shown: Sequence[Shown]) -> str:
    """Return the prompt by which a council's member ranks the other answers."""
    return f"""\
<rank_prompt>
<original_prompt>{escape(prompt)}</original_prompt>
<model_responses>
{_format_responses(shown)}
</model_responses>
</rank_prompt>

{_COUNCIL}"""


def _format_responses(shown: Sequence[Shown]) -> str:
    return "\n".join(_format_response(number, one) for number, one in enumerate(shown, 1))


def _format_response(number: int, shown: Shown) -> str:
    rank = "" if shown.mean_rank is None else f"<mean_rank>{shown.mean_rank:g}</mean_rank>\n"
    confidence = "" if shown.confidence is None else f"{shown.confidence:g}"
    return f"""\
<model_response>
<id>{number}</id>
<model>{escape(shown.name)}</model>
<instance>{shown.instance}</instance>
<confidence>{confidence}</confidence>
{rank}<response>{escape(shown.response)}</response>
</model_response>"""


def _format_round(verdict: Verdict) -> str:
    confidence = "" if verdict.confidence is None else f"{verdict.confidence:g}"
    return f"""\
<iteration>
<iteration_number>{verdict.iteration}</iteration_number>
<synthesis>{escape(verdict.synthesis)}</synthesis>
<confidence>{confidence}</confidence>
<refinement_areas>
{_format_areas(verdict.refinement_areas)}
</refinement_areas>
</iteration>"""


def _format_areas(areas: Sequence[str]) -> str:
    return "\n".join(f"<area>{escape(area)}</area>" for area in areas)
