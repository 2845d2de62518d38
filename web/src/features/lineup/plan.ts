/** What the next prompt does in a mode whose seats may change while a match goes on. Pure. */

import type { MatchRecord, ModeCard, SeatSettings } from "@/api/types";
import { type Choosing, type ContinueFrom, lastTurn, type Plan } from "@/features/arena/mode-feature";
import {
  askedOf,
  currentLineup,
  groupOf,
  type Lineup,
  lineupOfMatch,
  nextName,
  type Place,
  sameBrief,
  samePlaces,
} from "@/features/lineup/lineup";
import { MODE_STRINGS } from "@/features/lineup/mode-strings";

export interface SeatChange {
  add: Record<string, string>;
  leave: string[];
  settings: Record<string, SeatSettings>;
}

/** Go on in the match, with other seats where they were changed; other settings begin a new match from here. */
export function planLineup(situation: Choosing): Plan {
  const { record, models, info, from } = situation;
  if (!models || !info) return { kind: "wait", why: MODE_STRINGS.loading };
  const lineup = currentLineup(situation);
  if (!lineup) return { kind: "wait", why: MODE_STRINGS.noModels };
  const begun = { kind: "match", ...askedOf(lineup) } as const;
  if (from) return { ...begun, continue_from: from };
  const turn = lastTurn(record);
  if (!record || !turn || record.match.status !== "open") return begun;
  const had = lineupOfMatch(info, record);
  if (sameBrief(info, lineup, had)) {
    const goesOn = { kind: "turn", matchId: record.match.id } as const;
    if (samePlaces(lineup, had)) return goesOn;
    const seats = changeOf(info, record, had, lineup);
    if (seats) return { ...goesOn, seats };
  }
  const continued = historiesOf(record, lineup);
  return Object.keys(continued).length > 0 ? { ...begun, continue_seats: continued } : begun;
}

/** Who joins and who leaves; null where a seat's only name is taken already. A seat asked otherwise is a new one. */
function changeOf(info: ModeCard, record: MatchRecord, had: Lineup, wanted: Lineup): SeatChange | null {
  const stays = (place: Place) =>
    had.places.some((other) => other.name === place.name && samePlaces(of(place), of(other)));
  const used = new Set(record.match.seats.map(({ name }) => name));
  const change: SeatChange = { add: {}, leave: [], settings: {} };
  change.leave = had.places
    .filter((place) => !wanted.places.some((other) => other.name === place.name && stays(other)))
    .map(({ name }) => name);
  for (const place of wanted.places.filter((each) => !stays(each))) {
    const group = groupOf(info, place.name);
    const name = used.has(place.name) ? group && nextName(info, group, used) : place.name;
    if (name === undefined) return null;
    used.add(name);
    change.add[name] = place.model;
    if (place.settings) change.settings[name] = place.settings;
  }
  return change;
}

const of = (place: Place): Lineup => ({ places: [place], brief: {}, preset: null });

/** Each seat that has answered in the last turn goes on with its own history. */
function historiesOf(record: MatchRecord, lineup: Lineup): Record<string, ContinueFrom> {
  const turn = lastTurn(record);
  const answered = new Set(
    turn?.replies.filter(({ status }) => status === "completed").map(({ seat }) => seat),
  );
  const mine = lineup.places.filter(({ name }) => answered.has(name));
  return Object.fromEntries(mine.map(({ name }) => [name, { turn_id: turn?.id ?? "", seat: name }]));
}
