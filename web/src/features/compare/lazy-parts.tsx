/** The parts of the feature that load when they are first shown. */
import { lazyPart } from "@/components/lazy-part";

const load = () => import("@/features/compare/match-chunk");

export const Match = lazyPart(() => load().then(({ PARTS }) => PARTS.Match));
export const Dock = lazyPart(() => load().then(({ PARTS }) => PARTS.Dock));
