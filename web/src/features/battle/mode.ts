/** Two hidden models answer one prompt; a person picks. */

import { Swords } from "lucide-react";
import type { ModeFeature } from "@/features/arena/mode-feature";
import { BattleChips } from "@/features/battle/battle-chips";
import { Dock, Match } from "@/features/battle/lazy-parts";
import { Picture } from "@/features/battle/picture";
import { battlePlaceholder, planBattle } from "@/features/battle/plan";

export const mode: ModeFeature = {
  name: "battle",
  icon: Swords,
  newLabel: "New battle",
  sentence: "Pick the better of two hidden answers.",
  Picture,
  hint: "Models stay hidden until you vote",
  follows: "panels",
  placeholder: battlePlaceholder,
  plan: planBattle,
  Match,
  Dock,
  Chips: BattleChips,
};
