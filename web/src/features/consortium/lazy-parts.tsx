/** The parts of the feature that load when they are first shown. */
import { type ComponentProps, type ComponentType, lazy, Suspense } from "react";
import type { Choosing, MatchProps } from "@/features/arena/mode-feature";
import { SAVED } from "@/features/consortium/words";

const LazyMatch = lazy(() =>
  import("@/features/consortium/consortium-match").then((part) => ({ default: part.ConsortiumMatch })),
);
const LazyEstimate = lazy(() =>
  import("@/features/lineup/estimate").then((part) => ({ default: part.Estimate })),
);
const LazySaved = lazy(() => import("@/features/lineup/saved").then((part) => ({ default: part.Saved })));
const LazyCommands = lazy(() =>
  import("@/features/consortium/commands").then((part) => ({ default: part.Commands })),
);

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
export const Estimate = quietly<{ situation: Choosing; draft: string }>(LazyEstimate);
const QuietSaved = quietly<ComponentProps<typeof LazySaved>>(LazySaved);
export const Saved = ({ onSetup }: { onSetup: (setup: unknown) => void }) => (
  <QuietSaved mode="consortium" words={SAVED} onSetup={onSetup} />
);
export const Commands = quietly<ComponentProps<typeof LazyCommands>>(LazyCommands);

/** A consortium needs nothing between its text and the composer. */
export const Nothing = () => null;
