/** The parts of a line-up that load when they are first shown, for the features whose models a person chooses. */
import { lazyPart } from "@/components/lazy-part";
import type { SavedWords } from "@/features/lineup/words";
import { Skeleton } from "@/ui/skeleton";

export const CHIPS_TO_COME = <Skeleton className="h-7 touch:h-11 w-64 max-w-full rounded-full" />;

export const Chips = lazyPart(
  () => import("@/features/lineup/lineup-chips").then((part) => part.LineupChips),
  CHIPS_TO_COME,
);
export const Estimate = lazyPart(() => import("@/features/lineup/estimate").then((part) => part.Estimate));
const SavedLineups = lazyPart(() =>
  import("@/features/lineup/saved-lineups").then((part) => part.SavedLineups),
);

/** What was saved of one mode. */
export const savedOf = (mode: string, words?: SavedWords) =>
  function SavedOfMode({ onSetup }: { onSetup: (setup: unknown) => void }) {
    return <SavedLineups mode={mode} onSetup={onSetup} {...(words && { words })} />;
  };
