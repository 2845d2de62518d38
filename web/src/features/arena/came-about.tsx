/** Under an ensemble's answer: how it came about, folded until the reader wants it. */
import { lazy, Suspense } from "react";
import type { ModelCard } from "@/api/types";
import { Folded } from "@/components/folded";
import { Skeleton } from "@/ui/skeleton";

const InnerRounds = lazy(() =>
  import("@/features/arena/inner-rounds").then((part) => ({ default: part.InnerRounds })),
);

interface CameAboutProps {
  /** Null while nobody may know who it is. */
  model: ModelCard | null | undefined;
  turnId: string;
  replyId: string | undefined;
  className?: string;
}

export function CameAbout({ model, turnId, replyId, className }: CameAboutProps) {
  if (model?.kind !== "ensemble" || !replyId) return null;
  return (
    <Folded label="How this answer came about" {...(className && { className })}>
      <Suspense fallback={<Skeleton className="h-16" />}>
        <InnerRounds turnId={turnId} replyId={replyId} />
      </Suspense>
    </Folded>
  );
}
