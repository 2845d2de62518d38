/** What to do where there is nothing to rank yet. */

import { useNavigate } from "@tanstack/react-router";
import { Swords, Upload } from "lucide-react";
import type { Uncounted } from "@/api/standings-types";
import { Logo } from "@/components/logo";
import type { BoardSearch } from "@/features/leaderboard/board-search";
import { STRINGS } from "@/features/leaderboard/strings";
import { counted } from "@/lib/format";
import { Button } from "@/ui/button";

interface NoVotesProps {
  category: string;
  title: string | undefined;
  uncounted: readonly Uncounted[];
  onChange: (change: BoardSearch) => void;
}

export function NoVotes({ category, title, uncounted, onChange }: NoVotesProps) {
  const navigate = useNavigate();
  const kept = uncounted.reduce((sum, each) => sum + each.votes, 0);
  const overall = category === "overall";
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-3 px-4 py-16 text-center">
      <Logo className="mb-1 size-9" />
      <h2 className="text-xl font-semibold tracking-tight">
        {overall ? STRINGS.noVotes : STRINGS.noVotesInCategory(title ?? category)}
      </h2>
      <p className="max-w-md text-ink-2">
        {overall ? STRINGS.noVotesHint : STRINGS.noCategoryVotesHint}
        {kept > 0 && STRINGS.savedNotCounted(counted(kept, "vote"))}
      </p>
      <div className="mt-2 flex flex-wrap justify-center gap-2">
        <Button variant="primary" onClick={() => navigate({ to: "/", search: { mode: "battle" } })}>
          <Swords aria-hidden="true" />
          {STRINGS.startABattle}
        </Button>
        {overall ? (
          <Button onClick={() => navigate({ to: "/votes", search: { import: true } })}>
            <Upload aria-hidden="true" />
            {STRINGS.importVotes}
          </Button>
        ) : (
          <Button onClick={() => navigate({ to: "/leaderboard/$category", params: { category: "overall" } })}>
            {STRINGS.showAllVotes}
          </Button>
        )}
        {kept > 0 && (
          <Button onClick={() => onChange({ include_uncounted: true })}>{STRINGS.showUncountedVotes}</Button>
        )}
      </div>
    </div>
  );
}
