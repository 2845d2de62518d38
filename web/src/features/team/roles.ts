/** Who is who in a team that is being composed: roles as the server will resolve them, and ready-made teams. Pure. */

import type { ModeCard, ModelCard } from "@/api/types";
import type { Lineup } from "@/features/lineup/lineup";

/** What saved line-ups are called here. */
export const SAVED = { one: "Saved team", all: "Saved teams", chip: "Teams" };

export interface Member {
  role: string;
  instructions?: string | null;
}

export interface ReadyRole {
  role: string;
  instructions: string;
}

export interface ReadyTeam {
  name: string;
  about: string;
  brief: { members: Record<string, Member>; strategy: string } & Record<string, unknown>;
}

const schemaOf = (info: ModeCard) =>
  info.brief_schema as { "x-roles"?: ReadyRole[]; "x-teams"?: ReadyTeam[] };

export const readyRoles = (info: ModeCard): readonly ReadyRole[] => schemaOf(info)["x-roles"] ?? [];
export const readyTeams = (info: ModeCard): readonly ReadyTeam[] => schemaOf(info)["x-teams"] ?? [];

/** The members that the settings name, by seat. */
export const membersIn = (brief: Readonly<Record<string, unknown>>): Record<string, Member> =>
  (brief.members ?? {}) as Record<string, Member>;

const takesNoSide = (role: string | undefined) => /^(moderator|judge)$/i.test(role?.trim() ?? "");

/** Who leads without taking a side, in the strategies that need somebody to do so. */
const CHAIRS: Record<string, string> = { trial: "Judge", panel: "Moderator" };

export interface TeamRoles {
  roles: Record<string, string>;
  chair: string | null;
  /** Who writes the synthesis where nobody is named. */
  usualWriter: string | undefined;
  /** Those who take part in the discussion. */
  speakers: string[];
}

/** The roles of a line-up's seats: its own, else the ready ones in their order; the second Critic is "Critic 2". */
export function teamRoles(info: ModeCard, lineup: Lineup): TeamRoles {
  const seats = lineup.places.map(({ name }) => name);
  const given = membersIn(lineup.brief);
  const usualChair = CHAIRS[String(lineup.brief.strategy)];
  const chair =
    seats.find((seat) => takesNoSide(given[seat]?.role)) ?? (usualChair ? (seats.at(-1) ?? null) : null);
  const dealt = readyRoles(info).filter(({ role }) => !takesNoSide(role));
  const bare = seats.map(
    (seat, index) =>
      given[seat]?.role.trim() ||
      (seat === chair && usualChair) ||
      (dealt[index % dealt.length]?.role ?? seat),
  );
  const speakers = seats.filter((seat) => seat !== chair);
  const proposer = speakers.find((seat) => bare[seats.indexOf(seat)]?.toLowerCase() === "proposer");
  return {
    roles: Object.fromEntries(seats.map((seat, index) => [seat, numbered(bare, index)])),
    chair,
    usualWriter: chair ?? proposer ?? speakers[0],
    speakers,
  };
}

function numbered(roles: readonly string[], index: number): string {
  const role = roles[index] ?? "";
  const before = roles.slice(0, index).filter((each) => each.toLowerCase() === role.toLowerCase()).length;
  return before === 0 ? role : `${role} ${before + 1}`;
}

/** The line-up without the settings of those who are gone. */
export function withoutIdleMembers(lineup: Lineup): Lineup {
  const seats = new Set(lineup.places.map(({ name }) => name));
  const { members, writer } = lineup.brief;
  const brief = { ...lineup.brief };
  if (members)
    brief.members = Object.fromEntries(
      Object.entries(membersIn(lineup.brief)).filter(([seat]) => seats.has(seat)),
    );
  if (typeof writer === "string" && !seats.has(writer)) brief.writer = null;
  return { ...lineup, brief };
}

/** A ready-made team with models on its seats: those that sit there now first, then others that can write. */
export function seatTeam(team: ReadyTeam, models: readonly ModelCard[], current: Lineup | null): Lineup {
  const able = models.filter(
    (model) => model.enabled && model.kind !== "ensemble" && model.capabilities.includes("text"),
  );
  const pool = [
    ...new Set([...(current?.places ?? []).map(({ model }) => model), ...able.map(({ id }) => id)]),
  ];
  const seats = Object.keys(team.brief.members);
  return {
    places: pool.length
      ? seats.map((name, index) => ({ name, model: pool[index % pool.length] as string, settings: null }))
      : [],
    brief: { ...team.brief },
    preset: null,
  };
}
