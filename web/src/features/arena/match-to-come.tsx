import { Skeleton } from "@/ui/skeleton";

/** Stands where a match will be, until its part of the page is here. */
export const MATCH_TO_COME = (
  <div className="flex min-h-0 flex-1 flex-col gap-4 p-5">
    <Skeleton className="ml-auto h-11 w-80 max-w-full rounded-lg" />
    <Skeleton className="min-h-64 flex-1 rounded-lg opacity-50" />
  </div>
);
