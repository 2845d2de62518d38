/** Shows any mode that has no folder of its own, a plugin's for instance, by what the server says of it. */
import { LayoutPanelLeft } from "lucide-react";
import type { ModeCard } from "@/api/types";
import type { ModeFeature } from "@/features/arena/mode-feature";
import { Dock, Estimate, Match, savedOf } from "@/features/general/lazy-parts";
import { LineupChips } from "@/features/lineup/lineup-chips";
import { planLineup } from "@/features/lineup/plan";
import { titled } from "@/features/lineup/words";

export function generalFeature(name: string, info: ModeCard | undefined): ModeFeature {
  const title = info?.title ?? titled(name);
  const chosen = info?.seating.groups.some((group) => group.draw === "chosen") ?? false;
  return {
    name,
    icon: LayoutPanelLeft,
    newLabel: `New ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    headline: title,
    subline: info?.summary ?? "",
    ...(info?.seating.blind && { hint: "Nobody is named until you have voted." }),
    keepsFocus: true,
    follows: "page",
    placeholder: (record) => (record ? "Ask something further…" : "Ask anything…"),
    plan: planLineup,
    Match,
    Dock,
    Chips: LineupChips,
    ...(chosen && { Estimate, Saved: savedOf(name) }),
  };
}
