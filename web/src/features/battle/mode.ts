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
  headline: "Ask once. Two hidden models answer.",
  subline: "Vote for the better answer, then see who they were.",
  hint: "Models stay hidden until you vote",
  keepsFocus: false,
  follows: "panels",
  placeholder: battlePlaceholder,
  plan: planBattle,
  Match: BattleMatch,
  Dock: BattleDock,
  Chips: BattleChips,
};
