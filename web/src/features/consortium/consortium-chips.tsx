/** The line-up of a consortium, as its page calls it. */

import { Scale } from "lucide-react";
import { chosenPart } from "@/components/chip";
import type { ChipsProps } from "@/features/arena/mode-feature";
import { SAVED, withoutIdleParts } from "@/features/consortium/plan";
import { LineupChips, type LineupLook } from "@/features/lineup/lineup-chips";

/** The settings that matter most, in a few signs. */
function summaryOf(brief: Record<string, unknown>): string {
  const threshold = Number(brief.confidence_threshold ?? 0.8).toFixed(2);
  const [least, most] = [Number(brief.minimum_iterations ?? 1), Number(brief.max_iterations ?? 3)];
  const rounds = least === most ? `${most}` : `${least}–${most}`;
  const strategy = brief.strategy === "default" ? "" : ` · ${brief.strategy}`;
  return `≥ ${threshold} · ${most === 1 ? "1 round" : `${rounds} rounds`}${strategy}`;
}

const LOOK: LineupLook = {
  words: SAVED,
  icons: { arbiter: Scale },
  summary: summaryOf,
  Settings: chosenPart(() =>
    import("@/features/consortium/settings-panel").then((part) => part.SettingsPanel),
  ),
  changed: "Changed. The next turn continues from the last synthesis.",
  tidy: withoutIdleParts,
};

export const ConsortiumChips = (props: ChipsProps) => <LineupChips {...props} look={LOOK} />;
