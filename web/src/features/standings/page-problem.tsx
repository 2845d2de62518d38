import type { ReactNode } from "react";
import { asApiError } from "@/api/problem";
import { useRetryFailed } from "@/api/use-retry-failed";
import { EmptyPage } from "@/components/empty-page";
import { Button } from "@/ui/button";

/** A page that could not be had: what happened, and the ways on. */
export function PageProblem({ error, children }: { error: unknown; children?: ReactNode }) {
  const problem = asApiError(error);
  const retry = useRetryFailed();
  // What is not there will not be there on a second try either.
  const gone = problem.status === 404;
  const advice = gone ? "Check the address." : "Try again in a moment.";
  return (
    <EmptyPage title={problem.message} text={problem.detail ?? advice}>
      {!gone && (
        <Button variant="primary" onClick={retry}>
          Try again
        </Button>
      )}
      {children}
    </EmptyPage>
  );
}
