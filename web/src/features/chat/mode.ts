/** One model, one conversation. */

import { MessageCircle } from "lucide-react";
import type { ModeFeature } from "@/features/arena/mode-feature";
import { ChatChips } from "@/features/chat/chat-chips";
import { Dock, Match } from "@/features/chat/lazy-parts";
import { Picture } from "@/features/chat/picture";
import { planChat } from "@/features/chat/plan";

export const mode: ModeFeature = {
  name: "chat",
  icon: MessageCircle,
  newLabel: "New chat",
  sentence: "One model, with files. Switch at any time.",
  Picture,
  examples: {
    demo: [
      "Write an e-mail to my landlord about the broken heating",
      "What is a p-value?",
      "What is 17% of 2,340, step by step?",
    ],
    real: [
      "Help me prepare for a job interview",
      "Plan a week of simple dinners for two",
      "Write a polite reminder about an unpaid invoice",
      "Quiz me on European capitals",
    ],
  },
  follows: "page",
  branches: true,
  forgets: true,
  placeholder: (record) => (record ? "Reply…" : "Ask anything…"),
  plan: planChat,
  Match,
  Dock,
  Chips: ChatChips,
};
