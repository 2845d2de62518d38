/** The line-up of a team, as its page calls it: experts by their roles, ready-made teams, settings. */

import { chosenPart } from "@/components/chip";
import type { ChipsProps } from "@/features/arena/mode-feature";
import { LineupChips, type LineupLook } from "@/features/lineup/lineup-chips";
import { SAVED, teamRoles, withoutIdleMembers } from "@/features/team/roles";
import { titled } from "@/lib/format";

const LOOK: LineupLook = {
  words: SAVED,
  summary: ({ strategy, rounds }) =>
    `${titled(String(strategy))} · ${Number(rounds) === 1 ? "1 round" : `${Number(rounds)} rounds`}`,
  Settings: chosenPart(() => import("@/features/team/settings-panel").then((part) => part.SettingsPanel)),
  Ready: chosenPart(() => import("@/features/team/ready-teams").then((part) => part.ReadyMenu)),
  seat: {
    label: "Role",
    titleOf: (info, lineup, seat) => teamRoles(info, lineup).roles[seat] ?? "Role",
    Part: chosenPart(() => import("@/features/team/role-form").then((part) => part.RoleForm)),
  },
  changed: "Changed. The next question goes to a new team that knows the last synthesis.",
  tidy: withoutIdleMembers,
};

export const TeamChips = (props: ChipsProps) => <LineupChips {...props} look={LOOK} />;
