/** A new consortium in the command palette, plain or as one was saved. */
import type { Command } from "@/components/area";
import { STRINGS } from "@/features/consortium/strings";
import { usePresetCommands } from "@/features/lineup/preset-commands";

export const useCommands = (): Command[] =>
  usePresetCommands({ mode: "consortium", group: STRINGS.consortia, order: 300 });
