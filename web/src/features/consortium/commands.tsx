/** A new consortium by the command palette, plain or as one was saved. */

import { Combine } from "lucide-react";
import type { CommandsProps } from "@/features/arena/mode-feature";
import { STRINGS } from "@/features/consortium/strings";
import { PresetCommands } from "@/features/lineup/preset-commands";

export const Commands = (props: CommandsProps) => (
  <PresetCommands
    {...props}
    mode="consortium"
    heading={STRINGS.consortia}
    newLabel={STRINGS.newConsortium}
    icon={Combine}
  />
);
