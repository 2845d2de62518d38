/** The parts of the feature that load when they are first shown. */
import { lazyPart } from "@/components/lazy-part";
import { MATCH_TO_COME } from "@/features/arena/match-to-come";

const load = () => import("@/features/compare/match-chunk");

export const Match = lazyPart(() => load().then(({ PARTS }) => PARTS.Match), MATCH_TO_COME);
export const Dock = lazyPart(() => load().then(({ PARTS }) => PARTS.Dock));
