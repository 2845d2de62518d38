/** Under an ensemble's answer: how it came about, folded until the reader wants it. */

import type { ModelCard } from "@/api/types";
import { Folded } from "@/components/folded";
import { lazyPart } from "@/components/lazy-part";
import { STRINGS } from "@/features/arena/strings";
import { Skeleton } from "@/ui/skeleton";

const InnerRounds = lazyPart(
  () => import("@/features/arena/inner-rounds").then((part) => part.InnerRounds),
  <Skeleton className="h-16" />,
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
    <Folded label={STRINGS.howMade} {...(className && { className })}>
      <InnerRounds turnId={turnId} replyId={replyId} />
    </Folded>
  );
}
