/** One model, one conversation. */

import { MessageCircle } from "lucide-react";
import type { ModeFeature } from "@/features/arena/mode-feature";
import { ChatChips } from "@/features/chat/chat-chips";
import { Dock, Match } from "@/features/chat/lazy-parts";
import { MODE_STRINGS } from "@/features/chat/mode-strings";
import { planChat } from "@/features/chat/plan";

export const mode: ModeFeature = {
  name: "chat",
  icon: MessageCircle,
  newLabel: MODE_STRINGS.newChat,
  headline: MODE_STRINGS.headline,
  subline: MODE_STRINGS.subline,
  follows: "page",
  branches: true,
  forgets: true,
  placeholder: (record) => (record ? MODE_STRINGS.replyPlaceholder : MODE_STRINGS.askPlaceholder),
  plan: planChat,
  Match,
  Dock,
  Chips: ChatChips,
};
