/** The parts of the feature that load when they are first shown. */
import { lazyPart } from "@/components/lazy-part";
import { MATCH_TO_COME } from "@/features/arena/match-to-come";
import { CHIPS_TO_COME } from "@/features/lineup/lazy-parts";

export const Match = lazyPart(
  () => import("@/features/team/team-match").then((part) => part.TeamMatch),
  MATCH_TO_COME,
);
export const Dock = lazyPart(() => import("@/features/team/team-dock").then((part) => part.TeamDock));
export const Chips = lazyPart(
  () => import("@/features/team/team-chips").then((part) => part.TeamChips),
  CHIPS_TO_COME,
);
export const Saved = lazyPart(() => import("@/features/team/saved-teams").then((part) => part.SavedTeams));
