/** What stands under the toolbar: the chosen view, and the cards. */

import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { arrangeLines } from "@/features/leaderboard/arrange-lines";
import { BoardList } from "@/features/leaderboard/board-list";
import { boardScale } from "@/features/leaderboard/board-scale";
import { type BoardViewProps, NO_FILTERS } from "@/features/leaderboard/board-search";
import { BoardTable } from "@/features/leaderboard/board-table";
import { Cards } from "@/features/leaderboard/cards";
import { CompareBar } from "@/features/leaderboard/compare-bar";
import { ConfidencePlot } from "@/features/leaderboard/confidence-plot";
import { HistoryView } from "@/features/leaderboard/history-view";
import { LeftOut } from "@/features/leaderboard/left-out";
import { MarkLegend } from "@/features/leaderboard/line-marks";
import { methodTitle } from "@/features/leaderboard/method-switch";
import { WinRates } from "@/features/leaderboard/win-rates";
import { useMedia } from "@/lib/use-media";
import { Button } from "@/ui/button";

interface Editable extends BoardViewProps {
  onEditPrior: () => void;
}

export function BoardView(props: Editable) {
  const { board, category, search, onChange } = props;
  if (search.view === "win-rates") {
    return <WinRates category={category} uncounted={search.include_uncounted ?? false} />;
  }
  if (search.view === "history") {
    return <HistoryView board={board} category={category} search={search} onChange={onChange} />;
  }
  return <Lines {...props} />;
}

function Lines({ board, category, search, onChange, onEditPrior }: Editable) {
  const lines = useMemo(() => arrangeLines(board.lines, search), [board.lines, search]);
  const scale = useMemo(() => boardScale(board.lines), [board.lines]);
  const wide = useMedia("(min-width: 640px)");
  const navigate = useNavigate();
  const { picked, pick, clear } = usePicked();
  const open = useCallback(
    (id: string) => navigate({ to: "/models/$model", params: { model: id } }),
    [navigate],
  );
  const grouped = board.groups > 1;
  const leader = board.lines.find((line) => line.model.id === board.decision?.model);
  if (lines.length === 0) {
    return (
      <>
        {board.lines.length > 0 && (
          <div className="rounded-lg border border-line bg-surface px-4 py-12 text-center">
            <p className="mb-3 text-ink-2">No results</p>
            <Button onClick={() => onChange(NO_FILTERS)}>Clear filters</Button>
          </div>
        )}
        <LeftOut board={board} onChange={onChange} />
        <Cards board={board} search={search} onChange={onChange} onEditPrior={onEditPrior} />
      </>
    );
  }
  const shared = { lines, scale, grouped, picked, onPick: pick };
  return (
    <>
      {search.view === "confidence" && <ConfidencePlot lines={lines} method={board.method} scale={scale} />}
      {search.view !== "confidence" &&
        (wide ? (
          <BoardTable
            {...shared}
            leader={leader}
            search={search}
            arrangement={JSON.stringify([category, search])}
            caption={`Leaderboard, ${category}, ${methodTitle(board.method)}`}
            onSort={onChange}
            onOpen={open}
          />
        ) : (
          <>
            <BoardList {...shared} leader={leader} named={search.line} />
            <p className="flex flex-wrap gap-x-4 gap-y-1 px-1 text-xs text-ink-3">
              <MarkLegend lines={lines} grouped={grouped} />
            </p>
          </>
        ))}
      <LeftOut board={board} onChange={onChange} />
      <Cards board={board} search={search} onChange={onChange} onEditPrior={onEditPrior} />
      <CompareBar picked={picked} lines={board.lines} onClear={clear} />
    </>
  );
}

/** At most two models; a third one takes the place of the first. */
function usePicked() {
  const [picked, setPicked] = useState<readonly string[]>([]);
  const pick = useCallback(
    (id: string) =>
      setPicked((now) => (now.includes(id) ? now.filter((each) => each !== id) : [...now, id].slice(-2))),
    [],
  );
  const clear = useCallback(() => setPicked([]), []);
  return { picked, pick, clear };
}
