/** A method that has no table (yet), while others may have one. */

import type { Method } from "@/api/standings-types";
import { Logo } from "@/components/logo";
import type { BoardSearch } from "@/features/leaderboard/board-search";
import { methodTitle } from "@/features/leaderboard/method-switch";
import { STRINGS } from "@/features/leaderboard/strings";
import { Button } from "@/ui/button";

const WHY: Record<Method, string> = {
  "bradley-terry": STRINGS.noTableHint,
  "style-control": STRINGS.noStyleTableHint,
  elo: STRINGS.noTableHint,
};

interface NoTableProps {
  method: Method;
  onChange: (change: BoardSearch) => void;
}

export function NoTable({ method, onChange }: NoTableProps) {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-3 px-4 py-16 text-center">
      <Logo className="mb-1 size-9" />
      <h2 className="text-xl font-semibold tracking-tight">{STRINGS.noTable(methodTitle(method))}</h2>
      <p className="max-w-md text-ink-2">{WHY[method]}</p>
      <Button variant="primary" className="mt-2" onClick={() => onChange({ method: undefined })}>
        {STRINGS.showBradleyTerry}
      </Button>
    </div>
  );
}
