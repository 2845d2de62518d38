/** The parts of the feature that load when they are first shown. */
import { lazyPart } from "@/components/lazy-part";
import { SAVED } from "@/features/consortium/mode-strings";
import { Skeleton } from "@/ui/skeleton";

export const Match = lazyPart(() =>
  import("@/features/consortium/consortium-match").then((part) => part.ConsortiumMatch),
);
export const Chips = lazyPart(
  () => import("@/features/consortium/consortium-chips").then((part) => part.ConsortiumChips),
  <Skeleton className="h-7 touch:h-11 w-64 max-w-full rounded-full" />,
);
export const Estimate = lazyPart(() => import("@/features/lineup/estimate").then((part) => part.Estimate));
const LazySaved = lazyPart(() => import("@/features/lineup/saved").then((part) => part.Saved));
export const Saved = ({ onSetup }: { onSetup: (setup: unknown) => void }) => (
  <LazySaved mode="consortium" words={SAVED} onSetup={onSetup} />
);
export const Commands = lazyPart(() =>
  import("@/features/consortium/commands").then((part) => part.Commands),
);

/** A consortium needs nothing between its text and the composer. */
export const Nothing = () => null;
