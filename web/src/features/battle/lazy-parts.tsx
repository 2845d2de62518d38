/** What shows a battle; it loads with the first session, and while the page is idle before that. */
import { lazyPart } from "@/components/lazy-part";
import { Skeleton } from "@/ui/skeleton";

const load = () => import("@/features/battle/match-chunk");

export const Match = lazyPart(
  () => load().then(({ PARTS }) => PARTS.Match),
  <div className="mx-auto grid w-full max-w-page flex-1 grid-cols-1 gap-4 p-5 sm:grid-cols-2">
    <Skeleton className="min-h-64 rounded-lg opacity-50" />
    <Skeleton className="min-h-64 rounded-lg opacity-50 max-sm:hidden" />
  </div>,
);
export const Dock = lazyPart(() => load().then(({ PARTS }) => PARTS.Dock));
