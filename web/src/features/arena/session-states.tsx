/** A session that is not there, or not yet. */

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { asApiError } from "@/api/problem";
import { aboutQuery } from "@/api/queries";
import { EmptyPage } from "@/components/empty-page";
import { currentSpace, enterSpace } from "@/lib/space";
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
  const gone = asApiError(error).status === 404;
  useTitle(gone ? "Not found" : "Can’t reach the server");
  useWorkspaceOf(gone);
  if (gone) {
    return (
      <EmptyPage title="Session not found" text="It may have been deleted, or the address is incomplete.">
        <Button variant="primary" onClick={() => navigate({ to: "/", search: {} })}>
          Start a new session
        </Button>
      </EmptyPage>
    );
  }
  return <NotHad error={error} text="Your session is saved. Try again in a moment." onRetry={onRetry} />;
}

/** Look for a session that is not here in the other workspaces of a shared Parley, and go there. */
function useWorkspaceOf(gone: boolean): void {
  const { data: about } = useQuery(aboutQuery);
  const { session } = useParams({ from: "/s/$session" });
  useEffect(() => {
    if (!gone || about?.mode !== "shared") return;
    import("@/api/accounts")
      .then(({ workspaceOf }) => workspaceOf(session))
      .then((space) => space !== currentSpace() && enterSpace(space, window.location.pathname))
      .catch(() => undefined); // it is nowhere, as the page says
  }, [gone, about, session]);
}

/** What a page needs could not be had. What is typed meanwhile waits for the composer. */
export function NotHad({ error, text, onRetry }: { error: Error; text: string; onRetry: () => void }) {
  const problem = asApiError(error);
  return (
    <div className="contents" data-awaits-composer>
      <EmptyPage title={problem.message} text={problem.detail ?? text}>
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
      </EmptyPage>
    </div>
  );
}
