/** A session that is not there, or not yet. */
import { useNavigate } from "@tanstack/react-router";
import { asApiError } from "@/api/problem";
import { EmptyPage } from "@/components/empty-page";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

export function SessionSkeleton() {
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4 p-5" data-awaits-composer>
      <span className="sr-only">Loading session</span>
      <Skeleton className="ml-auto h-11 w-80 max-w-full rounded-lg" />
      <Skeleton className="min-h-0 flex-1 rounded-lg opacity-50" />
    </div>
  );
}

export function SessionProblem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const navigate = useNavigate();
  const problem = asApiError(error);
  const gone = problem.status === 404;
  useTitle(gone ? "Not found" : "Can’t reach the server");
  return (
    <EmptyPage
      title={gone ? "Session not found" : problem.message}
      text={
        gone
          ? "It may have been deleted, or the address is incomplete."
          : (problem.detail ?? "Your session is saved. Try again in a moment.")
      }
    >
      {gone ? (
        <Button variant="primary" onClick={() => navigate({ to: "/", search: {} })}>
          Start a new session
        </Button>
      ) : (
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
      )}
    </EmptyPage>
  );
}
