/** One model, one conversation. */
import { MessageCircle } from "lucide-react";
import type { ModeFeature } from "@/features/arena/mode-feature";
import { ChatChips } from "@/features/chat/chat-chips";
import { ChatDock } from "@/features/chat/chat-dock";
import { ChatMatch } from "@/features/chat/chat-match";
import { planChat } from "@/features/chat/plan";

export const mode: ModeFeature = {
  name: "chat",
  icon: MessageCircle,
  newLabel: "New chat",
  headline: "Talk with one model.",
  subline: "Choose who answers. You can change the model in the middle of the talk.",
  keepsFocus: true,
  follows: "page",
  placeholder: (record) => (record ? "Reply…" : "Ask anything…"),
  plan: planChat,
  Match: ChatMatch,
  Dock: ChatDock,
  Chips: ChatChips,
};
