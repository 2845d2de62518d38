/** Under an ensemble's answer: how it came about, folded until the reader wants it. */

import type { ModelCard } from "@/api/types";
import { Disclosure } from "@/components/disclosure";
import { lazyPart } from "@/components/lazy-part";
import { Skeleton } from "@/ui/skeleton";

const InnerRounds = lazyPart(
  () => import("@/features/arena/inner-rounds").then((part) => part.InnerRounds),
  <Skeleton className="h-16" />,
);

interface EnsembleRoundsProps {
  /** Null while nobody may know who it is. */
  model: ModelCard | null | undefined;
  turnId: string;
  replyId: string | undefined;
  className?: string;
}

export function EnsembleRounds({ model, turnId, replyId, className }: EnsembleRoundsProps) {
  if (model?.kind !== "ensemble" || !replyId) return null;
  return (
    <Disclosure label="How this answer was made" {...(className && { className })}>
      <InnerRounds turnId={turnId} replyId={replyId} />
    </Disclosure>
  );
}
