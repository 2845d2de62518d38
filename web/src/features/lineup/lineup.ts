/** Who sits where and by which settings, as chosen in the composer. Pure. */
import type { components } from "@/api/__generated__/schema";
import type { MatchRecord, ModeCard, ModelCard, SeatSettings, SeatView } from "@/api/types";
import type { Choosing } from "@/features/arena/mode-feature";
import { canAnswer, draws } from "@/features/arena/model-filter";
import { fitting } from "@/features/lineup/seat-settings";

/** A seat and who sits there; `settings` is null where the seat is asked as the mode says. */
export interface Place {
  name: string;
  model: string;
  settings: SeatSettings | null;
}

export interface Lineup {
  /** The seats that a person chooses, in their order. */
  places: Place[];
  brief: Record<string, unknown>;
  /** The saved line-up that this was taken from. */
  preset: { id: string; name: string } | null;
}

export type Preset = components["schemas"]["PresetView"];
export type Group = ModeCard["seating"]["groups"][number];

const USUAL_MEMBERS = 3;
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

/** The groups whose models a person chooses. */
export const chosenGroups = (info: ModeCard): Group[] =>
  info.seating.groups.filter((group) => group.draw === "chosen");

/** The group to which a seat of this name belongs: the one that names it, else the one that names none. */
export const groupOf = (info: ModeCard, name: string): Group | undefined =>
  info.seating.groups.find((group) => group.names.includes(name)) ??
  info.seating.groups.find((group) => group.names.length === 0);

/** Those who sit in one group, in their order. */
export const placesIn = (info: ModeCard, lineup: Lineup, group: Group): Place[] =>
  lineup.places.filter(({ name }) => groupOf(info, name)?.role === group.role);

export const seatsOf = (lineup: Lineup): Record<string, string> =>
  Object.fromEntries(lineup.places.map(({ name, model }) => [name, model]));

/** The settings of those seats that have some. */
export const settingsOf = (lineup: Lineup): Record<string, SeatSettings> =>
  Object.fromEntries(
    lineup.places.flatMap(({ name, settings }) => (settings && !isEmpty(settings) ? [[name, settings]] : [])),
  );

const isEmpty = (settings: SeatSettings) => Object.values(settings).every((value) => value == null);

/** A line-up from seats, settings and brief, as a match or a preset has them. */
export const lineupFrom = (
  seats: Readonly<Record<string, string>>,
  brief: Readonly<Record<string, unknown>>,
  settings: Readonly<Record<string, SeatSettings>> = {},
  preset: Lineup["preset"] = null,
): Lineup => ({
  places: Object.entries(seats).map(([name, model]) => ({ name, model, settings: settings[name] ?? null })),
  brief: { ...brief },
  preset,
});

export const isSitting = (seat: SeatView) => seat.until_turn == null;

/** The line-up of a match: those who sit there now on seats that a person chooses. */
export const lineupOfMatch = (info: ModeCard, { match }: Pick<MatchRecord, "match">): Lineup => {
  const chosen = new Set(chosenGroups(info).map(({ role }) => role));
  return {
    places: match.seats
      .filter((seat) => isSitting(seat) && chosen.has(seat.role))
      .map((seat) => ({ name: seat.name, model: seat.model?.id ?? "", settings: seat.settings ?? null })),
    brief: match.brief,
    preset: null,
  };
};

/** The name of the next seat of a group, where there is one; `used` are names that are not free. */
export function nextName(info: ModeCard, group: Group, used: ReadonlySet<string>): string | undefined {
  return namesOf(info, group).find((name) => !used.has(name));
}

function namesOf(info: ModeCard, group: Group): readonly string[] {
  const named = info.seating.groups.flatMap(({ names }) => names);
  return group.names.length > 0 ? group.names : LETTERS.filter((letter) => !named.includes(letter));
}

/** The line-up with one seat more; seats of one group stay together, in the order of their names. */
export function withPlace(info: ModeCard, lineup: Lineup, group: Group, model: string): Lineup {
  const { places } = lineup;
  const name = nextName(info, group, new Set(places.map((place) => place.name)));
  if (name === undefined) return lineup;
  const names = namesOf(info, group);
  const mine = placesIn(info, lineup, group);
  const next = mine.find((place) => names.indexOf(place.name) > names.indexOf(name));
  const last = mine.at(-1);
  const at = next ? places.indexOf(next) : last ? places.indexOf(last) + 1 : places.length;
  return { ...lineup, places: places.toSpliced(at, 0, { name, model, settings: null }) };
}

export const withoutPlaces = (lineup: Lineup, names: readonly string[]): Lineup => ({
  ...lineup,
  places: lineup.places.filter(({ name }) => !names.includes(name)),
});

export const withChange = (lineup: Lineup, names: readonly string[], change: Partial<Place>): Lineup => ({
  ...lineup,
  places: lineup.places.map((place) => (names.includes(place.name) ? { ...place, ...change } : place)),
});

/** How many more may sit in a group. */
export const freePlaces = (info: ModeCard, lineup: Lineup, group: Group): number =>
  group.most - placesIn(info, lineup, group).length;

/** Places of the same model together, in the order of the first of each. */
export function byModel(places: readonly Place[]): { model: string; names: string[] }[] {
  const found: { model: string; names: string[] }[] = [];
  for (const { model, name } of places) {
    const known = found.find((each) => each.model === model);
    if (known) known.names.push(name);
    else found.push({ model, names: [name] });
  }
  return found;
}

const able = (models: readonly ModelCard[]) => models.filter((model) => model.enabled && canAnswer(model));

/** Larger groups get the first models; seats for one get the dearest of the others, who should know best. */
export function usualLineup(info: ModeCard, models: readonly ModelCard[]): Lineup | null {
  const free = able(models).filter((model) => model.kind !== "ensemble" && !draws(model));
  const first = free[0];
  if (!first) return null;
  const groups = chosenGroups(info);
  const seated = new Map<string, string[]>();
  for (const group of groups.filter(({ most }) => most > 1)) {
    const many = Math.min(group.most, Math.max(group.least, USUAL_MEMBERS));
    const taken = free.splice(0, many).map(({ id }) => id);
    while (taken.length < group.least) taken.push(taken.at(-1) ?? first.id);
    seated.set(group.role, taken);
  }
  for (const group of groups.filter(({ least, most }) => most === 1 && least === 1)) {
    const dearest = free.reduce<ModelCard | null>(
      (best, model) => (!best || (model.prices?.output ?? 0) > (best.prices?.output ?? 0) ? model : best),
      null,
    );
    if (dearest) free.splice(free.indexOf(dearest), 1);
    seated.set(group.role, [(dearest ?? first).id]);
  }
  const empty: Lineup = { places: [], brief: {}, preset: null };
  return groups.reduce(
    (lineup, group) =>
      (seated.get(group.role) ?? []).reduce((all, model) => withPlace(info, all, group, model), lineup),
    empty,
  );
}

export const isLineup = (value: unknown): value is Lineup =>
  typeof value === "object" && value !== null && "places" in value && "brief" in value && "preset" in value;

/** The line-up of a preset, under its name. */
export const lineupOfPreset = (preset: Preset): Lineup =>
  lineupFrom(preset.seats, preset.brief, preset.seat_settings, { id: preset.id, name: preset.name });

/** What was chosen here, else what the match has, else the mode's default, else the usual; who is gone is replaced only where it must be. */
export function currentLineup({ record, matches, models, info, setup }: Choosing): Lineup | null {
  if (!models || !info) return null;
  const had = record ?? matches?.findLast(({ match }) => match.mode === info.name);
  const wanted = isLineup(setup) ? setup : had ? lineupOfMatch(info, had) : startOf(info);
  const usual = usualLineup(info, models);
  if (!wanted || !usual) return usual;
  const known = new Set(able(models).map((model) => model.id));
  const gone = wanted.places.filter(({ model }) => !known.has(model)).map(({ name }) => name);
  const kept = withoutPlaces(wanted, gone);
  return chosenGroups(info).reduce(
    (lineup, group) => {
      const spare = placesIn(info, usual, group).map(({ model }) => model);
      let filled = lineup;
      for (let at = 0; placesIn(info, filled, group).length < group.least && spare.length > 0; at += 1) {
        filled = withPlace(info, filled, group, spare[at % spare.length] as string);
      }
      return filled;
    },
    fittingPlaces(kept, models),
  );
}

const fittingPlaces = (lineup: Lineup, models: readonly ModelCard[]): Lineup => ({
  ...lineup,
  places: lineup.places.map((place) => ({
    ...place,
    settings: fitting(place.settings, place.model, models),
  })),
});

const startOf = ({ default_preset: preset }: ModeCard) => preset && lineupOfPreset(preset);

/** A brief with every setting in it: what is not said, or null, is the schema's default. */
export function wholeBrief(schema: unknown, brief: Readonly<Record<string, unknown>>) {
  const properties = (schema as { properties?: Record<string, { default?: unknown }> } | undefined)
    ?.properties;
  const known = Object.entries(properties ?? {}).map(([name, field]) => [name, field.default ?? null]);
  const said = Object.entries(brief).filter(([, value]) => value !== null && value !== undefined);
  return { ...Object.fromEntries(known), ...Object.fromEntries(said) } as Record<string, unknown>;
}

const sameValue = (a: unknown, b: unknown) => sorted(a) === sorted(b);
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    part && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(
          Object.entries(part)
            .filter(([, each]) => each !== null)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : part,
  );

export const sameBrief = (info: ModeCard, one: Lineup, other: Lineup): boolean =>
  sameValue(wholeBrief(info.brief_schema, one.brief), wholeBrief(info.brief_schema, other.brief));

export const samePlaces = (one: Lineup, other: Lineup): boolean =>
  sameValue(seatsOf(one), seatsOf(other)) && sameValue(settingsOf(one), settingsOf(other));

/** True where two line-ups seat the same models at the same seats, by the same settings. */
export const sameLineup = (info: ModeCard, one: Lineup, other: Lineup): boolean =>
  samePlaces(one, other) && sameBrief(info, one, other);

/** What a request says of a line-up. */
export function askedOf(lineup: Lineup) {
  const settings = settingsOf(lineup);
  return {
    seats: seatsOf(lineup),
    brief: lineup.brief,
    ...(Object.keys(settings).length > 0 && { seat_settings: settings }),
  };
}
