/** Two hidden models answer one prompt; a person picks. */
import { Swords } from "lucide-react";
import { lastTurn, type ModeFeature } from "@/features/arena/mode-feature";
import { BattleChips } from "@/features/battle/battle-chips";
import { BattleDock } from "@/features/battle/battle-dock";
import { BattleMatch } from "@/features/battle/battle-match";

export const mode: ModeFeature = {
  name: "battle",
  icon: Swords,
  newLabel: "New battle",
  headline: "Ask once. Two hidden models answer.",
  subline: "Vote for the better answer, then see who they were.",
  hint: "Models stay hidden until you vote",
  keepsFocus: false,
  follows: "panels",
  placeholder: (record) => {
    if (!record) return "Ask two models anything…";
    const status = lastTurn(record)?.status;
    return record.match.status === "open" && (status === "completed" || status === "running")
      ? "Ask both a follow-up…"
      : "Start a new battle…";
  },
  plan: ({ record }) => {
    const goesOn = record?.match.status === "open" && lastTurn(record)?.status === "completed";
    return goesOn ? { kind: "turn", matchId: record.match.id } : { kind: "match" };
  },
  Match: BattleMatch,
  Dock: BattleDock,
  Chips: BattleChips,
};
