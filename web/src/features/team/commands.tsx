/** A new team by the command palette, plain or as one was saved. */

import { UsersRound } from "lucide-react";
import type { CommandsProps } from "@/features/arena/mode-feature";
import { PresetCommands } from "@/features/lineup/preset-commands";
import { STRINGS } from "@/features/team/strings";

export const Commands = (props: CommandsProps) => (
  <PresetCommands
    {...props}
    mode="team"
    heading={STRINGS.teams}
    newLabel={STRINGS.newTeam}
    icon={UsersRound}
  />
);
