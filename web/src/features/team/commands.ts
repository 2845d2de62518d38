/** A new team in the command palette, plain or as one was saved. */
import type { Command } from "@/components/area";
import { usePresetCommands } from "@/features/lineup/preset-commands";
import { STRINGS } from "@/features/team/strings";

export const useCommands = (): Command[] =>
  usePresetCommands({ mode: "team", group: STRINGS.teams, order: 310 });
