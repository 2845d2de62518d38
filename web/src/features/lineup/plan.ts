/** What the next prompt does in a mode whose seats may change while a match goes on. Pure. */

import type { MatchRecord, ModeCard, SeatSettings, SeatView, TurnView } from "@/api/types";
import {
  type Choosing,
  type ContinueFrom,
  LOADING,
  lastTurn,
  type Plan,
} from "@/features/arena/mode-feature";
import {
  askedOf,
  chosenGroups,
  currentLineup,
  groupOf,
  isSitting,
  type Lineup,
  lineupOfMatch,
  nextName,
  type Place,
  sameBrief,
  samePlaces,
} from "@/features/lineup/lineup";
import { answerIn, stepsOf } from "@/features/tools/steps";

export interface SeatChange {
  add: Record<string, string>;
  leave: string[];
  settings: Record<string, SeatSettings>;
}

/** Go on in the match while models only join and leave; else begin a new one from here, each model with its history. */
export function planLineup(situation: Choosing): Plan {
  const { record, models, info, from } = situation;
  if (!models || !info) return LOADING;
  const lineup = currentLineup(situation);
  if (!lineup) return { kind: "wait", why: "No models available" };
  const begun = { kind: "match", ...askedOf(lineup) } as const;
  if (from) return { ...begun, continue_from: from };
  if (record && (!lastTurn(record) || record.match.status !== "open")) return begun;
  if (record) {
    const had = lineupOfMatch(info, record);
    if (sameBrief(info, lineup, had)) {
      const goesOn = { kind: "turn", matchId: record.match.id } as const;
      if (samePlaces(lineup, had)) return goesOn;
      const seats = changeOf(info, record, had, lineup);
      if (seats) return { ...goesOn, seats };
    }
  }
  const continued: Record<string, ContinueFrom> = {};
  for (const [name, { turn, seat }] of continuedBy(situation, lineup)) {
    continued[name] = { turn_id: turn.id, seat };
  }
  return Object.keys(continued).length > 0 ? { ...begun, continue_seats: continued } : begun;
}

/**
 * Who joins and who leaves; null where the match can't say it: a seat's only name is taken already, or a model stays
 * that is asked otherwise, and a seat that joins has no history.
 */
function changeOf(info: ModeCard, record: MatchRecord, had: Lineup, wanted: Lineup): SeatChange | null {
  const stays = (place: Place) =>
    had.places.some((other) => other.name === place.name && samePlaces(of(place), of(other)));
  const leaving = had.places.filter(
    (place) => !wanted.places.some((other) => other.name === place.name && stays(other)),
  );
  const joining = wanted.places.filter((place) => !stays(place));
  if (joining.some(({ model }) => leaving.some((place) => place.model === model))) return null;
  const used = new Set(record.match.seats.map(({ name }) => name));
  const change: SeatChange = { add: {}, leave: leaving.map(({ name }) => name), settings: {} };
  for (const place of joining) {
    const group = groupOf(info, place.name);
    const name = used.has(place.name) ? group && nextName(info, group, used) : place.name;
    if (name === undefined) return null;
    used.add(name);
    change.add[name] = place.model;
    if (place.settings) change.settings[name] = place.settings;
  }
  return change;
}

/** By seat of a line-up, the colour that its panel has or will have; those of a new match follow its order. */
export function colorsOf(situation: Choosing, lineup: Lineup): Readonly<Record<string, number>> {
  const { record, info } = situation;
  if (!record || !info || planLineup(situation).kind !== "turn") return {};
  const joined = new Map<string, number>();
  const colorOf = ({ name, model }: Place): number => {
    const role = groupOf(info, name)?.role ?? "";
    const seats = record.match.seats.filter((seat) => seat.role === role);
    const at = seats.findIndex((seat) => isSitting(seat) && seat.name === name && seat.model?.id === model);
    if (at >= 0) return at;
    const before = joined.get(role) ?? 0;
    joined.set(role, before + 1);
    return seats.length + before;
  };
  return Object.fromEntries(lineup.places.map((place) => [place.name, colorOf(place)]));
}

const of = (place: Place): Lineup => ({ places: [place], brief: {}, preset: null });

/** Which conversation each seat of a line-up goes on with: its model's own, at whatever seat it is asked now. */
function continuedBy(situation: Choosing, wanted: Lineup): Map<string, Conversation> {
  const left = conversationsIn(situation);
  const found = new Map<string, Conversation>();
  const give = (places: readonly Place[], fits: (mine: Conversation, place: Place) => boolean) => {
    for (const place of places) {
      const at = left.findIndex((mine) => mine.model === place.model && fits(mine, place));
      const [mine] = at < 0 ? [] : left.splice(at, 1);
      if (mine) found.set(place.name, mine);
    }
  };
  // A model may sit twice: who keeps its seat comes first.
  give(wanted.places, (mine, place) => mine.seat === place.name);
  give(
    wanted.places.filter(({ name }) => !found.has(name)),
    () => true,
  );
  return found;
}

/** By seat, how many tokens its model reads of earlier turns: those of its last question, and of its answer. */
export function historyTokens(situation: Choosing, wanted: Lineup): Record<string, number> {
  const tokens: Record<string, number> = {};
  for (const [name, { turn, seat }] of continuedBy(situation, wanted)) {
    const metrics = answerIn(stepsOf(turn, seat))?.metrics;
    if (metrics) {
      tokens[name] = metrics.input_tokens + Math.max(metrics.output_tokens - metrics.reasoning_tokens, 0);
    }
  }
  return tokens;
}

/** What a seat has heard and said, up to a turn. */
interface Conversation {
  match: string;
  turn: TurnView;
  seat: string;
  model: string;
}

/** The conversations of the mode's last match and of those that went on from it alone, newest first. */
function conversationsIn({ info, record, matches = record ? [record] : [] }: Choosing): Conversation[] {
  const chosen = new Set(info ? chosenGroups(info).map(({ role }) => role) : []);
  const home = record ?? matches.findLast(({ match }) => match.mode === info?.name);
  if (!home) return [];
  const matchOf = new Map(matches.flatMap(({ match, turns }) => turns.map(({ id }) => [id, match.id])));
  let found: Conversation[] = [];
  for (const each of matches.slice(matches.indexOf(home))) {
    const turn = lastTurn(each);
    const { seats, id: match, blind } = each.match;
    if (!turn || blind) continue;
    const isParent =
      ({ continues }: SeatView) =>
      (mine: Conversation) =>
        continues != null && mine.seat === continues.seat && mine.match === matchOf.get(continues.turn_id);
    const mine = seats.filter(
      (seat) => isSitting(seat) && (each === home ? chosen.has(seat.role) : found.some(isParent(seat))),
    );
    // Where the same model went on, its conversation is the longer one now.
    const over = (one: Conversation) =>
      mine.some((seat) => seat.model?.id === one.model && isParent(seat)(one));
    found = [
      ...mine.map((seat) => ({ match, turn, seat: seat.name, model: seat.model?.id ?? "" })),
      ...found.filter((one) => !over(one)),
    ];
  }
  return found;
}
