/** The voters: a table on wide screens, cards on narrow ones. */

import type { VoterLine } from "@/api/standings-types";
import { RelativeTime } from "@/components/relative-time";
import { type Column, figureColumn, Table } from "@/components/table";
import { voterColumn } from "@/features/leaderboard/rating-columns";
import { Sparkline } from "@/features/leaderboard/voters/sparkline";
import {
  nextOrder,
  VOTER_SORTS,
  type VoterSort,
  type VotersSearch,
} from "@/features/leaderboard/voters/voters-search";
import { shortVoter } from "@/features/standings/voter";
import { VoterRuling } from "@/features/standings/voter-ruling";
import { cn } from "@/lib/cn";
import { formatCount, formatMs, formatPercent } from "@/lib/format";
import { useMedia } from "@/lib/use-media";
import { Select } from "@/ui/select";

interface VoterTableProps {
  voters: readonly VoterLine[] | undefined;
  fastSeconds: number;
  search: VotersSearch;
  onSort: (order: VotersSearch) => void;
}

export function VoterTable(props: VoterTableProps) {
  const { voters, fastSeconds, search, onSort } = props;
  const wide = useMedia("(min-width: 1024px)");
  if (!wide && voters?.length) return <Cards {...props} voters={voters} />;
  return (
    <Table
      label="All voters"
      columns={columnsOf(fastSeconds)}
      rows={voters}
      rowKey={(voter) => voter.voter_id}
      empty="No voter is known yet. Votes from files have one where the file has the column judge."
      sort={{
        by: search.by ?? "votes",
        order: search.rising ? "asc" : "desc",
        onSort: (key) => onSort(nextOrder(search, key)),
      }}
    />
  );
}

const columnsOf = (fastSeconds: number): Column<VoterLine, VoterSort>[] => [
  voterColumn("Voter"),
  figureColumn("Votes", (voter) => <Votes voter={voter} />, { sort: "votes", quiet: true }),
  figureColumn("Prompts", (voter) => formatCount(voter.prompts), {
    hint: "Distinct prompts",
    sort: "prompts",
    quiet: true,
  }),
  figureColumn("Duplicates", (voter) => formatCount(voter.duplicates), {
    hint: "Votes that repeat a prompt with the same models. They are not counted.",
    sort: "duplicates",
    quiet: true,
  }),
  figureColumn(`Within ${fastSeconds} s`, (voter) => <Speed voter={voter} />, {
    hint: "Share of timed votes cast this soon after the complete answers, and the median time",
    sort: "fast",
    quiet: true,
  }),
  {
    header: "Evidence",
    hint: "Flagged voters first, strongest evidence on top",
    cell: (voter) => <Sparkline course={voter.course} pending={voter.pending} />,
    sort: "evidence",
  },
  {
    header: "Last vote",
    cell: (voter) => <RelativeTime at={voter.last_vote_at} />,
    sort: "last_vote",
    quiet: true,
  },
  { header: "State", cell: (voter) => <State voter={voter} /> },
];

/** On a phone: each voter a card, the order chosen above. */
function Cards({ voters, fastSeconds, search, onSort }: VoterTableProps & { voters: readonly VoterLine[] }) {
  const columns = columnsOf(fastSeconds).filter((column) => column.sort);
  return (
    <div className="border-t border-line">
      <div className="flex items-center gap-2 px-4 py-2.5 text-sm text-ink-2">
        <span aria-hidden="true">Sort by</span>
        <Select
          aria-label="Sort by"
          value={search.by ?? "votes"}
          options={columns.map(({ sort = "votes", header }) => ({ value: sort, label: header }))}
          onChange={(value) => {
            const sort = VOTER_SORTS.find((each) => each === value);
            if (sort) onSort({ by: sort === "votes" ? undefined : sort });
          }}
        />
      </div>
      <ul>
        {voters.map((voter) => (
          <li key={voter.voter_id} className="flex flex-col gap-2 border-t border-line px-4 py-3">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <span className="font-mono text-sm" title={voter.voter_id}>
                {shortVoter(voter.voter_id)}
              </span>
              <State voter={voter} />
            </div>
            <dl className="num grid grid-cols-3 gap-x-3 gap-y-1 text-sm text-ink-2 sm:grid-cols-5 [&_dt]:text-xs [&_dt]:text-ink-3">
              {columns
                .filter((column) => column.sort !== "evidence")
                .map(({ header, cell }) => (
                  <div key={header}>
                    <dt>{header}</dt>
                    <dd>{cell(voter)}</dd>
                  </div>
                ))}
            </dl>
            <Sparkline course={voter.course} pending={voter.pending} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Votes({ voter }: { voter: VoterLine }) {
  return (
    <>
      {formatCount(voter.votes)}
      {voter.excluded > 0 && (
        <span className="block text-xs text-ink-3">{formatCount(voter.excluded)} excluded</span>
      )}
    </>
  );
}

function Speed({ voter }: { voter: VoterLine }) {
  if (voter.timed === 0) {
    return (
      <span className="text-ink-3" title="no times known">
        –
      </span>
    );
  }
  return (
    <>
      {formatPercent(voter.fast / voter.timed)}
      <span className="block text-xs text-ink-3">{formatMs(voter.read_ms_p50)}</span>
    </>
  );
}

function State({ voter }: { voter: VoterLine }) {
  const { flag } = voter;
  if (!flag) return <span className="text-xs text-ink-3">counted</span>;
  return (
    <span className="inline-flex items-center gap-2.5">
      <span className={cn("text-xs", flag.excluded_at === null ? "text-bad" : "text-ink-2")}>
        {flag.excluded_at === null ? "Flagged" : "Excluded"}
      </span>
      <VoterRuling voter={flag} small />
    </span>
  );
}
