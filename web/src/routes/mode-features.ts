/** Every feature folder with a `mode.ts` is a mode that this page knows. */
import type { ModeFeature } from "@/features/arena/mode-feature";

const found = import.meta.glob<ModeFeature>("../features/*/mode.ts", { eager: true, import: "mode" });

export const features: ReadonlyMap<string, ModeFeature> = new Map(
  Object.values(found).map((feature) => [feature.name, feature]),
);
