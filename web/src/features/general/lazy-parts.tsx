/** The parts of the general view that load when they are first shown. */
import { lazyPart } from "@/components/lazy-part";
import { Skeleton } from "@/ui/skeleton";

export const Match = lazyPart(() =>
  import("@/features/general/general-match").then((part) => part.GeneralMatch),
);
export const Dock = lazyPart(() =>
  import("@/features/general/general-dock").then((part) => part.GeneralDock),
);
export const Chips = lazyPart(
  () => import("@/features/lineup/lineup-chips").then((part) => part.LineupChips),
  <Skeleton className="h-7 touch:h-11 w-64 max-w-full rounded-full" />,
);
export const Estimate = lazyPart(() => import("@/features/lineup/estimate").then((part) => part.Estimate));
const LazySaved = lazyPart(() => import("@/features/lineup/saved").then((part) => part.Saved));

/** What was saved of one mode. */
export const savedOf = (mode: string) =>
  function SavedOfMode({ onSetup }: { onSetup: (setup: unknown) => void }) {
    return <LazySaved mode={mode} onSetup={onSetup} />;
  };
