/** The line-up of a team, as its page calls it: experts by their roles, ready-made teams, settings. */

import { chosenPart } from "@/components/chip";
import type { ChipsProps } from "@/features/arena/mode-feature";
import { LineupChips, type LineupLook } from "@/features/lineup/lineup-chips";
import { castOf, withoutIdleMembers } from "@/features/team/cast";
import { SAVED } from "@/features/team/mode-strings";
import { STRINGS } from "@/features/team/strings";
import { titled } from "@/lib/format";

const LOOK: LineupLook = {
  words: SAVED,
  summary: ({ strategy, rounds }) => STRINGS.summary(titled(String(strategy)), Number(rounds)),
  Settings: chosenPart(() => import("@/features/team/settings-panel").then((part) => part.SettingsPanel)),
  Ready: chosenPart(() => import("@/features/team/ready-teams").then((part) => part.ReadyMenu)),
  seat: {
    label: STRINGS.role,
    titleOf: (info, lineup, seat) => castOf(info, lineup).roles[seat] ?? STRINGS.role,
    Part: chosenPart(() => import("@/features/team/role-form").then((part) => part.RoleForm)),
  },
  changed: STRINGS.changed,
  tidy: withoutIdleMembers,
};

export const TeamChips = (props: ChipsProps) => <LineupChips {...props} look={LOOK} />;
