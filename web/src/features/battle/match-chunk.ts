/** One chunk for what shows a battle. */
import { BattleDock } from "@/features/battle/battle-dock";
import { BattleMatch } from "@/features/battle/battle-match";

export const PARTS = { Match: BattleMatch, Dock: BattleDock };
