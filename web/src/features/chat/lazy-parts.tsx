/** The parts of the feature that load when they are first shown. */
import { lazyPart } from "@/components/lazy-part";
import { MATCH_TO_COME } from "@/features/arena/match-to-come";

export const Match = lazyPart(
  () => import("@/features/chat/chat-match").then((part) => part.ChatMatch),
  MATCH_TO_COME,
);

/** A chat needs nothing between its text and the composer. */
export const Dock = () => null;
