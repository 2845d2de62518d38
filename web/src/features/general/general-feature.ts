/** Shows any mode that has no folder of its own, a plugin's for instance, by what the server says of it. */

import { LayoutPanelLeft } from "lucide-react";
import type { ModeCard } from "@/api/types";
import type { ModeFeature } from "@/features/arena/mode-feature";
import { Dock, Match } from "@/features/general/lazy-parts";
import { Picture } from "@/features/general/picture";
import { Chips, Estimate, savedOf } from "@/features/lineup/lazy-parts";
import { planLineup } from "@/features/lineup/plan";
import { titled } from "@/lib/format";

export function generalFeature(name: string, info: ModeCard | undefined): ModeFeature {
  const title = info?.title ?? titled(name);
  const chosen = info?.seating.groups.some((group) => group.draw === "chosen") ?? false;
  return {
    name,
    icon: LayoutPanelLeft,
    newLabel: `New ${title.charAt(0).toLowerCase() + title.slice(1)}`,
    Picture,
    ...(info?.seating.blind && { hint: "Models stay hidden until you vote" }),
    follows: "page",
    placeholder: (record) => (record ? "Ask a follow-up…" : "Ask anything…"),
    plan: planLineup,
    Match,
    Dock,
    Chips,
    ...(chosen && { Estimate, Saved: savedOf(name) }),
  };
}
