/** Every feature folder with a `mode.ts` shows its mode; all other modes have the general view. */
import type { ModeCard } from "@/api/types";
import type { ModeFeature } from "@/features/arena/mode-feature";
import { generalFeature } from "@/features/general/general-feature";

const found = import.meta.glob<ModeFeature>("../features/*/mode.ts", { eager: true, import: "mode" });

const own: ReadonlyMap<string, ModeFeature> = new Map(
  Object.values(found).map((feature) => [feature.name, feature]),
);
const general = new Map<string, ModeFeature>();

/** The feature of a mode; `info` is what the server says of it, where it does. The same object for the same mode. */
export function featureOf(name: string, info?: ModeCard): ModeFeature {
  const known = own.get(name);
  if (known) return known;
  const key = `${name}\n${info?.title}\n${info?.summary}`;
  const made = general.get(key) ?? generalFeature(name, info);
  general.set(key, made);
  return made;
}
