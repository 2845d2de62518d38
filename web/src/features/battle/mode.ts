/** Two hidden models answer one prompt; a person picks. */
import { Swords } from "lucide-react";
import type { ModeFeature } from "@/features/arena/mode-feature";
import { BattleChips } from "@/features/battle/battle-chips";
import { BattleDock } from "@/features/battle/battle-dock";
import { BattleMatch } from "@/features/battle/battle-match";
import { battlePlaceholder, planBattle } from "@/features/battle/plan";

export const mode: ModeFeature = {
  name: "battle",
  icon: Swords,
  newLabel: "New battle",
  headline: "Ask two hidden models.",
  subline: "Vote for the better answer, then see the models’ names.",
  hint: "Models stay hidden until you vote",
  follows: "panels",
  placeholder: battlePlaceholder,
  plan: planBattle,
  Match: BattleMatch,
  Dock: BattleDock,
  Chips: BattleChips,
};
