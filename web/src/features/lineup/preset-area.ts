/** A mode in the command palette, plain or with a saved line-up. */
import type { Area } from "@/components/area";

export const presetArea = (mode: string, group: string, order: number): Area => ({
  name: mode,
  commands: () =>
    import("@/features/lineup/preset-commands").then(
      ({ usePresetCommands }) =>
        () =>
          usePresetCommands({ mode, group, order }),
    ),
});
