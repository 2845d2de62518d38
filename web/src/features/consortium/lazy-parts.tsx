/** The parts of the feature that load when they are first shown. */
import { type ComponentProps, type ComponentType, lazy, Suspense } from "react";
import type { Choosing, MatchProps } from "@/features/arena/mode-feature";

const LazyMatch = lazy(() =>
  import("@/features/consortium/consortium-match").then((part) => ({ default: part.ConsortiumMatch })),
);
const LazyEstimate = lazy(() =>
  import("@/features/consortium/estimate").then((part) => ({ default: part.Estimate })),
);
const LazySaved = lazy(() => import("@/features/consortium/saved").then((part) => ({ default: part.Saved })));
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
export const Saved = quietly<ComponentProps<typeof LazySaved>>(LazySaved);
export const Commands = quietly<ComponentProps<typeof LazyCommands>>(LazyCommands);

/** A consortium needs nothing between its text and the composer. */
export const Nothing = () => null;
