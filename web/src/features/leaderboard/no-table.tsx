/** A method that has no table (yet), while others may have one. */

import type { Method } from "@/api/standings-types";
import { Logo } from "@/components/logo";
import type { BoardSearch } from "@/features/leaderboard/board-search";
import { methodTitle } from "@/features/leaderboard/method-switch";
import { Button } from "@/ui/button";

const WHY: Record<Method, string> = {
  "bradley-terry": "It appears after the first counted vote.",
  "style-control":
    "Style control needs votes with answer texts. Imported votes without texts don’t count. It updates shortly after votes arrive, hourly if there are many.",
  elo: "It appears after the first counted vote.",
};

interface NoTableProps {
  method: Method;
  onChange: (change: BoardSearch) => void;
}

export function NoTable({ method, onChange }: NoTableProps) {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-3 px-4 py-16 text-center">
      <Logo className="mb-1 size-9" />
      <h2 className="text-xl font-semibold tracking-tight">No {methodTitle(method)} table yet</h2>
      <p className="max-w-md text-ink-2">{WHY[method]}</p>
      <Button variant="primary" className="mt-2" onClick={() => onChange({ method: undefined })}>
        Show Bradley-Terry
      </Button>
    </div>
  );
}
