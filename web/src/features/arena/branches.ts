/** Which of several ways a conversation went is shown. Pure. */

import type { MatchRecord } from "@/api/types";

/** One way on from a place: the turn that was asked there. */
interface Way {
  turn: string;
  asked: string;
}

/** A place where a conversation went on in several ways; `shown` counts from 0. */
export interface Fork {
  place: string;
  ways: readonly string[];
  shown: number;
}

/** By place the turn that a person chose, and of how many: what is asked there later is shown instead. */
export type Picks = Readonly<Record<string, { turn: string; of: number }>>;

export interface Path {
  /** The matches with the turns that are shown. */
  matches: readonly MatchRecord[];
  /** By the turn that is shown there. */
  forks: ReadonlyMap<string, Fork>;
}

/**
 * The matches on the chosen way. A match of a mode that `branches` and carries on from within another one is another
 * way on from there; those that begin anew, with no other mode between, are other ways to begin.
 */
export function pathOf(
  matches: readonly MatchRecord[],
  picks: Picks,
  branches: (mode: string) => boolean,
): Path {
  const places = placesOf(matches, branches);
  const ways = waysAt(matches, places);
  const forks = new Map<string, Fork>();
  const hidden = new Set<string>();
  const shown = matches.map((record) => {
    const parent = record.match.seats[0]?.continues?.turn_id;
    let gone = places.has(record.turns[0]?.id ?? "") && parent !== undefined && hidden.has(parent);
    for (const { id } of record.turns) {
      const place = places.get(id);
      const there = (place && ways.get(place)) || [];
      const chosen = chosenOf(there, place ? picks[place] : undefined);
      gone ||= place !== undefined && there[chosen] !== id;
      if (gone) hidden.add(id);
      else if (place && there.length > 1) forks.set(id, { place, ways: there, shown: chosen });
    }
    const turns = record.turns.filter(({ id }) => !hidden.has(id));
    return turns.length === record.turns.length ? record : { ...record, turns };
  });
  return { matches: shown.filter(({ turns }) => turns.length > 0), forks };
}

/** What must be picked for a turn to be shown. */
export function picksTo(
  turnId: string,
  matches: readonly MatchRecord[],
  branches: (mode: string) => boolean,
): Picks {
  const places = placesOf(matches, branches);
  const ways = waysAt(matches, places);
  const picks: Record<string, { turn: string; of: number }> = {};
  let at: string | undefined = turnId;
  while (at !== undefined) {
    const place = places.get(at);
    const there = place ? (ways.get(place) ?? []) : [];
    if (place && there.length > 1) picks[place] = { turn: at, of: there.length };
    at = turnBefore(at, matches);
  }
  return picks;
}

/** By turn the place where it was asked, for all turns of modes that branch. */
function placesOf(matches: readonly MatchRecord[], branches: (mode: string) => boolean) {
  const places = new Map<string, string>();
  let others = 0;
  for (const { match, turns } of matches) {
    if (!branches(match.mode)) {
      others += 1;
      continue;
    }
    const [seat] = match.seats;
    const from = seat?.continues;
    let place = from ? `${from.turn_id}.${from.seat}` : `start ${others}`;
    for (const { id } of turns) {
      places.set(id, place);
      place = `${id}.${seat?.name}`;
    }
  }
  return places;
}

/** By place the turns that were asked there, in the order in which they were. */
function waysAt(matches: readonly MatchRecord[], places: ReadonlyMap<string, string>) {
  const ways = new Map<string, Way[]>();
  for (const { id, created_at } of matches.flatMap(({ turns }) => turns)) {
    const place = places.get(id);
    if (place) ways.set(place, [...(ways.get(place) ?? []), { turn: id, asked: created_at }]);
  }
  const inOrder = ([place, there]: [string, Way[]]) =>
    [place, there.sort((a, b) => a.asked.localeCompare(b.asked)).map(({ turn }) => turn)] as const;
  return new Map([...ways].map(inOrder));
}

function chosenOf(ways: readonly string[], pick: Picks[string] | undefined): number {
  const picked = pick?.of === ways.length ? ways.indexOf(pick.turn) : -1;
  return picked < 0 ? ways.length - 1 : picked;
}

function turnBefore(turnId: string, matches: readonly MatchRecord[]): string | undefined {
  const record = matches.find(({ turns }) => turns.some(({ id }) => id === turnId));
  const index = record?.turns.findIndex(({ id }) => id === turnId) ?? 0;
  return record?.turns[index - 1]?.id ?? record?.match.seats[0]?.continues?.turn_id;
}
