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

/** Go on in the match while models only join and leave; else begin a new one from here, each model with its history. */
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
  const continued = historiesOf(turn.id, had, lineup);
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

const of = (place: Place): Lineup => ({ places: [place], brief: {}, preset: null });

/** Each model that sits in the match goes on with its own history, at whatever seat it is asked now. */
function historiesOf(turn_id: string, had: Lineup, wanted: Lineup): Record<string, ContinueFrom> {
  const left = [...had.places];
  const histories: Record<string, ContinueFrom> = {};
  const give = (places: readonly Place[], fits: (mine: Place, place: Place) => boolean) => {
    for (const place of places) {
      const at = left.findIndex((mine) => mine.model === place.model && fits(mine, place));
      const [mine] = at < 0 ? [] : left.splice(at, 1);
      if (mine) histories[place.name] = { turn_id, seat: mine.name };
    }
  };
  // A model may sit twice: who keeps its seat comes first.
  give(wanted.places, (mine, place) => mine.name === place.name);
  give(
    wanted.places.filter(({ name }) => !(name in histories)),
    () => true,
  );
  return histories;
}
