/** What a plan would cost, or what stands in its way. */

import type { ReactNode } from "react";
import type { ApiError } from "@/api/problem";

interface PlanStatusProps {
  problem: ApiError | null;
  /** Stands there as long as there is neither a problem nor a quote. */
  hint: string;
  quote: ReactNode;
}

export const PlanStatus = ({ problem, hint, quote }: PlanStatusProps) => (
  <div role="status" className="num min-w-0 text-ink-2">
    {problem ? (
      <span className="text-bad">
        {problem.message} {problem.detail}
      </span>
    ) : (
      (quote ?? hint)
    )}
  </div>
);
