/** One model, one conversation. */
import { MessageCircle } from "lucide-react";
import { lastTurn, type ModeFeature } from "@/features/arena/mode-feature";
import { ChatChips } from "@/features/chat/chat-chips";
import { ChatDock } from "@/features/chat/chat-dock";
import { ChatMatch } from "@/features/chat/chat-match";

export const mode: ModeFeature = {
  name: "chat",
  icon: MessageCircle,
  newLabel: "New chat",
  headline: "Talk with one model.",
  subline: "Choose who answers. You can change the model in the middle of the talk.",
  keepsFocus: true,
  follows: "page",
  placeholder: (record) => (record ? "Reply…" : "Ask anything…"),
  plan: ({ record, model, from }) => {
    if (model === null) return { kind: "wait", why: "No model is ready" };
    const seats = { assistant: model };
    if (from) return { kind: "match", seats, continue_from: from };
    const turn = lastTurn(record);
    const seat = record?.match.seats[0];
    if (!record || !turn || !seat) return { kind: "match", seats };
    if (seat.model?.id === model) return { kind: "turn", matchId: record.match.id };
    return { kind: "match", seats, continue_from: { turn_id: turn.id, seat: seat.name } };
  },
  Match: ChatMatch,
  Dock: ChatDock,
  Chips: ChatChips,
};
