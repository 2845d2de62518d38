/** The parts of the general view that load when they are first shown. */
import { type ComponentType, lazy, Suspense } from "react";
import type { MatchRecord } from "@/api/types";
import type { Choosing, MatchProps } from "@/features/arena/mode-feature";

const LazyMatch = lazy(() =>
  import("@/features/general/general-match").then((part) => ({ default: part.GeneralMatch })),
);
const LazyDock = lazy(() =>
  import("@/features/general/general-dock").then((part) => ({ default: part.GeneralDock })),
);
const LazyEstimate = lazy(() =>
  import("@/features/lineup/estimate").then((part) => ({ default: part.Estimate })),
);
const LazySaved = lazy(() => import("@/features/lineup/saved").then((part) => ({ default: part.Saved })));

/** Nothing stands in the place of a part that is still loading. */
const quietly = <P extends object>(Part: ComponentType<P>) =>
  function Quiet(props: P) {
    return (
      <Suspense>
        <Part {...props} />
      </Suspense>
    );
  };

export const Match = quietly<MatchProps>(LazyMatch);
export const Dock = quietly<{ record: MatchRecord }>(LazyDock);
export const Estimate = quietly<{ situation: Choosing; draft: string }>(LazyEstimate);

/** What was saved of one mode. */
export const savedOf = (mode: string) =>
  quietly<{ onSetup: (setup: unknown) => void }>(({ onSetup }) => (
    <LazySaved mode={mode} onSetup={onSetup} />
  ));
