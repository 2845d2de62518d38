/** Two hidden models answer one prompt; a person picks. */

import { Swords } from "lucide-react";
import type { ModeFeature } from "@/features/arena/mode-feature";
import { BattleChips } from "@/features/battle/battle-chips";
import { BattleDock } from "@/features/battle/battle-dock";
import { BattleMatch } from "@/features/battle/battle-match";
import { battlePlaceholder, planBattle } from "@/features/battle/plan";
import { STRINGS } from "@/features/battle/strings";

export const mode: ModeFeature = {
  name: "battle",
  icon: Swords,
  newLabel: STRINGS.newBattle,
  headline: STRINGS.headline,
  subline: STRINGS.subline,
  hint: STRINGS.hiddenHint,
  follows: "panels",
  placeholder: battlePlaceholder,
  plan: planBattle,
  Match: BattleMatch,
  Dock: BattleDock,
  Chips: BattleChips,
};
