/** The parts of the feature that load when they are first shown. */
import { lazyPart } from "@/components/lazy-part";
import { MATCH_TO_COME } from "@/features/arena/match-to-come";
import { CHIPS_TO_COME } from "@/features/lineup/lazy-parts";

export const Match = lazyPart(
  () => import("@/features/consortium/consortium-match").then((part) => part.ConsortiumMatch),
  MATCH_TO_COME,
);
export const Chips = lazyPart(
  () => import("@/features/consortium/consortium-chips").then((part) => part.ConsortiumChips),
  CHIPS_TO_COME,
);

/** A consortium needs nothing between its text and the composer. */
export const Nothing = () => null;
