/** A session that is not there, or not yet. */

import { useNavigate } from "@tanstack/react-router";
import { asApiError } from "@/api/problem";
import { EmptyPage } from "@/components/empty-page";
import { STRINGS } from "@/features/arena/strings";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

export function SessionSkeleton() {
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4 p-5" data-awaits-composer>
      <span className="sr-only">{STRINGS.loadingSession}</span>
      <Skeleton className="ml-auto h-11 w-80 max-w-full rounded-lg" />
      <Skeleton className="min-h-0 flex-1 rounded-lg opacity-50" />
    </div>
  );
}

export function SessionProblem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const navigate = useNavigate();
  const gone = asApiError(error).status === 404;
  useTitle(gone ? STRINGS.notFound : STRINGS.unreachable);
  if (gone) {
    return (
      <EmptyPage title={STRINGS.sessionNotFound} text={STRINGS.sessionNotFoundHint}>
        <Button variant="primary" onClick={() => navigate({ to: "/", search: {} })}>
          {STRINGS.newSession}
        </Button>
      </EmptyPage>
    );
  }
  return <NotHad error={error} text={STRINGS.sessionSaved} onRetry={onRetry} />;
}

/** What a page needs could not be had. What is typed meanwhile waits for the composer. */
export function NotHad({ error, text, onRetry }: { error: Error; text: string; onRetry: () => void }) {
  const problem = asApiError(error);
  return (
    <div className="contents" data-awaits-composer>
      <EmptyPage title={problem.message} text={problem.detail ?? text}>
        <Button variant="primary" onClick={onRetry}>
          {STRINGS.tryAgain}
        </Button>
      </EmptyPage>
    </div>
  );
}
