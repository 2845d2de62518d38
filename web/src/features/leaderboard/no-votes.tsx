/** What to do where there is nothing to rank yet. */

import { useNavigate } from "@tanstack/react-router";
import { Swords, Upload } from "lucide-react";
import { useMayManage } from "@/api/permissions";
import type { Uncounted } from "@/api/standings-types";
import { Logo } from "@/components/logo";
import type { BoardSearch } from "@/features/leaderboard/board-search";
import { counted } from "@/lib/format";
import { Button } from "@/ui/button";

interface NoVotesProps {
  category: string;
  title: string | undefined;
  search: BoardSearch;
  uncounted: readonly Uncounted[];
  onChange: (change: BoardSearch) => void;
}

export function NoVotes({ category, title, search, uncounted, onChange }: NoVotesProps) {
  const navigate = useNavigate();
  const kept = uncounted.reduce((sum, each) => sum + each.votes, 0);
  const overall = category === "overall";
  const mayManage = useMayManage();
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-3 px-4 py-16 text-center">
      <Logo className="mb-1 size-9" />
      <h2 className="text-xl font-semibold tracking-tight">
        {overall
          ? search.votes
            ? "No votes in this workspace yet"
            : "No votes yet"
          : `No votes in ${title ?? category} yet`}
      </h2>
      <p className="max-w-md text-ink-2">
        {search.votes
          ? "Only votes in this workspace’s sessions are in this table. A few of them are enough to start it."
          : overall
            ? "Two hidden models answer your question, and you vote for the better one. A few votes are enough to start the leaderboard."
            : "Parley sets a battle’s category from its prompt. Votes on prompts in this category appear here."}
        {kept > 0 && ` ${counted(kept, "vote")} saved but not counted.`}
      </p>
      <div className="mt-2 flex flex-wrap justify-center gap-2">
        <Button variant="primary" onClick={() => navigate({ to: "/", search: { mode: "battle" } })}>
          <Swords aria-hidden="true" />
          Start a battle
        </Button>
        {search.votes ? (
          <Button onClick={() => onChange({ votes: undefined })}>Show everybody’s votes</Button>
        ) : overall ? (
          mayManage && (
            <Button onClick={() => navigate({ to: "/votes", search: { import: true } })}>
              <Upload aria-hidden="true" />
              Import votes
            </Button>
          )
        ) : (
          <Button onClick={() => navigate({ to: "/leaderboard/$category", params: { category: "overall" } })}>
            Show all votes
          </Button>
        )}
        {kept > 0 && !search.votes && (
          <Button onClick={() => onChange({ include_uncounted: true })}>Show uncounted votes</Button>
        )}
      </div>
    </div>
  );
}
