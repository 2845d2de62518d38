/** Who sits in a consortium and by which settings, as chosen in the composer. Pure. */
import type { MatchRecord, ModeCard, ModelCard } from "@/api/types";
import { type Choosing, lastTurn, type Plan } from "@/features/arena/mode-feature";

export interface Group {
  model: string;
  count: number;
}

export interface Setup {
  members: Group[];
  arbiter: string;
  brief: Record<string, unknown>;
  /** The saved consortium that this was taken from. */
  preset: { id: string; name: string } | null;
}

const USUAL_MEMBERS = 3;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

export const mostMembers = (info: ModeCard): number =>
  info.seating.groups.find(({ role }) => role === "member")?.most ?? 0;

export const sizeOf = (setup: Setup) => setup.members.reduce((sum, group) => sum + group.count, 0);

/** The seats' names in the order of the members, each with its model: "a", "b", "c", … */
export function memberSeats(members: readonly Group[]): { seat: string; model: string; instance: number }[] {
  const models = members.flatMap(({ model, count }) =>
    Array.from({ length: count }, (_, index) => ({ model, instance: index + 1 })),
  );
  return models.slice(0, LETTERS.length).map((each, index) => ({ ...each, seat: LETTERS[index] ?? "z" }));
}

export const seatsOf = (setup: Setup): Record<string, string> => ({
  arbiter: setup.arbiter,
  ...Object.fromEntries(memberSeats(setup.members).map(({ seat, model }) => [seat, model])),
});

/** A setup from the seats and brief of a match or a saved consortium. */
export function setupFrom(
  seats: Readonly<Record<string, string>>,
  brief: Readonly<Record<string, unknown>>,
  preset: Setup["preset"] = null,
): Setup {
  const members: Group[] = [];
  const before = Object.keys(seats).filter((name) => name !== "arbiter");
  for (const name of before) {
    const model = seats[name] ?? "";
    const known = members.find((group) => group.model === model);
    if (known) known.count += 1;
    else members.push({ model, count: 1 });
  }
  const setup = { members, arbiter: seats.arbiter ?? "", brief: { ...brief }, preset };
  return { ...setup, brief: withRoles(setup.brief, renamed(seats, before, members)) };
}

/** The same settings for other members: the parts to play stay with the models that had them. */
export function withMembers(setup: Setup, members: Group[]): Setup {
  const seats = seatsOf(setup);
  const before = memberSeats(setup.members).map(({ seat }) => seat);
  return { ...setup, members, brief: withRoles(setup.brief, renamed(seats, before, members)) };
}

/** New names of seats by their old ones: the n-th seat of a model stays the n-th. */
function renamed(
  seats: Readonly<Record<string, string>>,
  before: readonly string[],
  members: readonly Group[],
): Map<string, string> {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const after = memberSeats(members);
  for (const name of before) {
    const model = seats[name] ?? "";
    const instance = (counts.get(model) ?? 0) + 1;
    counts.set(model, instance);
    const next = after.find((seat) => seat.model === model && seat.instance === instance);
    if (next) names.set(name, next.seat);
  }
  return names;
}

function withRoles(brief: Record<string, unknown>, names: ReadonlyMap<string, string>) {
  if (typeof brief.roles !== "object" || brief.roles === null) return brief;
  const roles = Object.entries(brief.roles as Record<string, string>).flatMap(([seat, role]) => {
    const name = names.get(seat);
    return name ? [[name, role] as const] : [];
  });
  return { ...brief, roles: roles.length > 0 ? Object.fromEntries(roles) : null };
}

const able = (models: readonly ModelCard[]) =>
  models.filter((model) => model.enabled && model.capabilities.includes("text"));

/** The first three models, and as arbiter the dearest of the others. */
export function usualSetup(models: readonly ModelCard[]): Setup | null {
  const [first, ...others] = able(models).filter((model) => model.kind !== "ensemble");
  if (!first) return null;
  const members = [first, ...others].slice(0, USUAL_MEMBERS);
  const rest = others.slice(USUAL_MEMBERS - 1);
  const dearest = rest.reduce<ModelCard | null>(
    (best, model) => (!best || (model.prices?.output ?? 0) > (best.prices?.output ?? 0) ? model : best),
    null,
  );
  return {
    members: members.map(({ id }) => ({ model: id, count: 1 })),
    arbiter: (dearest ?? first).id,
    brief: {},
    preset: null,
  };
}

const isSetup = (value: unknown): value is Setup =>
  typeof value === "object" && value !== null && "members" in value && "arbiter" in value && "brief" in value;

/** The setup of a match with those who sit there now. */
export function setupOfMatch({ match }: Pick<MatchRecord, "match">): Setup {
  const sitting = match.seats.filter((seat) => seat.until_turn == null);
  return setupFrom(Object.fromEntries(sitting.map((seat) => [seat.name, seat.model?.id ?? ""])), match.brief);
}

/** What was chosen here, else what the match has, else the usual; models that are gone are left out. */
export function currentSetup({ record, models, setup }: Choosing): Setup | null {
  if (!models) return null;
  const wanted = isSetup(setup) ? setup : record ? setupOfMatch(record) : null;
  const usual = usualSetup(models);
  if (!wanted || !usual) return usual;
  const known = new Set(able(models).map((model) => model.id));
  const members = wanted.members.filter((group) => known.has(group.model));
  const whole = withMembers(wanted, members.length > 0 ? members : usual.members);
  return { ...whole, arbiter: known.has(wanted.arbiter) ? wanted.arbiter : usual.arbiter };
}

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
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/** True where two setups seat the same models in the same order, by the same settings. */
export const sameSetup = (schema: unknown, one: Setup, other: Setup): boolean =>
  sameValue(seatsOf(one), seatsOf(other)) &&
  sameValue(wholeBrief(schema, one.brief), wholeBrief(schema, other.brief));

/** The same consortium goes on in its match; another line-up or other settings carry on from the arbiter. */
export function planConsortium(situation: Choosing): Plan {
  const { record, models, info, from } = situation;
  if (!models || !info) return { kind: "wait", why: "One moment…" };
  const setup = currentSetup(situation);
  if (!setup) return { kind: "wait", why: "No model is ready" };
  const begun = { kind: "match", seats: seatsOf(setup), brief: setup.brief } as const;
  if (from) return { ...begun, continue_from: from };
  const turn = lastTurn(record);
  if (record && turn && sameSetup(info.brief_schema, setup, setupOfMatch(record))) {
    return { kind: "turn", matchId: record.match.id };
  }
  return turn ? { ...begun, continue_from: { turn_id: turn.id, seat: "arbiter" } } : begun;
}
