/** The voters: a table on wide screens, cards on narrow ones. */

import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import type { VoterLine } from "@/api/standings-types";
import { RelativeTime } from "@/components/relative-time";
import { Sparkline } from "@/features/leaderboard/voters/sparkline";
import { STRINGS } from "@/features/leaderboard/voters/strings";
import { type VoterColumn, voterColumns } from "@/features/leaderboard/voters/voter-columns";
import { nextOrder, VOTER_SORTS, type VotersSearch } from "@/features/leaderboard/voters/voters-search";
import { shortVoter } from "@/features/standings/voter";
import { VoterRuling } from "@/features/standings/voter-ruling";
import { cn } from "@/lib/cn";
import { formatCount, formatMs, formatPercent } from "@/lib/format";
import { useMedia } from "@/lib/use-media";
import { Select } from "@/ui/select";

interface VoterTableProps {
  voters: readonly VoterLine[];
  fastSeconds: number;
  search: VotersSearch;
  onSort: (order: VotersSearch) => void;
}

export function VoterTable(props: VoterTableProps) {
  const wide = useMedia("(min-width: 1024px)");
  return wide ? <Table {...props} /> : <Cards {...props} />;
}

function Table({ voters, fastSeconds, search, onSort }: VoterTableProps) {
  return (
    <div className="overflow-x-auto">
      <table className="num w-full text-[13.5px]">
        <caption className="sr-only">{STRINGS.listTitle}</caption>
        <thead>
          <tr className="text-left text-xs text-ink-3">
            <th scope="col" className="py-2 pr-2.5 pl-4 font-medium">
              {STRINGS.voter}
            </th>
            {voterColumns(fastSeconds).map((column) => (
              <Head key={column.sort} column={column} search={search} onSort={onSort} />
            ))}
            <th scope="col" className="py-2 pr-4 pl-2.5 font-medium">
              {STRINGS.state}
            </th>
          </tr>
        </thead>
        <tbody>
          {voters.map((voter) => (
            <tr key={voter.voter_id} className="border-t border-line">
              <th
                scope="row"
                className="py-2 pr-2.5 pl-4 text-left font-mono font-normal"
                title={voter.voter_id}
              >
                {shortVoter(voter.voter_id)}
              </th>
              <Cell figures>
                <Votes voter={voter} />
              </Cell>
              <Cell figures>{formatCount(voter.prompts)}</Cell>
              <Cell figures>{formatCount(voter.duplicates)}</Cell>
              <Cell figures>
                <Speed voter={voter} />
              </Cell>
              <Cell>
                <Sparkline course={voter.course} pending={voter.pending} />
              </Cell>
              <Cell>
                <RelativeTime at={voter.last_vote_at} />
              </Cell>
              <td className="py-1.5 pr-4 pl-2.5">
                <State voter={voter} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps {
  column: VoterColumn;
  search: VotersSearch;
  onSort: (order: VotersSearch) => void;
}

function Head({ column, search, onSort }: HeadProps) {
  const sorted = (search.by ?? "votes") === column.sort;
  const rising = sorted && search.rising === true;
  const Arrow = rising ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={sorted ? (rising ? "ascending" : "descending") : undefined}
      title={column.title}
      className="p-0 font-medium"
    >
      <button
        type="button"
        onClick={() => onSort(nextOrder(search, column.sort))}
        className={cn(
          "focus-inset flex h-9 w-full items-center gap-1 rounded-sm px-2.5 whitespace-nowrap transition-colors hover:text-ink",
          column.figures && "flex-row-reverse",
          sorted && "text-ink",
        )}
      >
        {column.label}
        <Arrow aria-hidden="true" className={cn("size-3 shrink-0", !sorted && "opacity-0")} />
      </button>
    </th>
  );
}

const Cell = ({ figures = false, children }: { figures?: boolean; children: ReactNode }) => (
  <td className={cn("px-2.5 py-2 text-ink-2", figures && "text-right")}>{children}</td>
);

/** On a phone: each voter a card, the order chosen above. */
function Cards({ voters, fastSeconds, search, onSort }: VoterTableProps) {
  const columns = voterColumns(fastSeconds);
  return (
    <div className="border-t border-line">
      <div className="flex items-center gap-2 px-4 py-2.5 text-sm text-ink-2">
        <span aria-hidden="true">{STRINGS.sortBy}</span>
        <Select
          aria-label={STRINGS.sortBy}
          value={search.by ?? "votes"}
          options={columns.map((column) => ({ value: column.sort, label: column.label }))}
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
              {[
                [STRINGS.votes, <Votes key="votes" voter={voter} />],
                [STRINGS.prompts, formatCount(voter.prompts)],
                [STRINGS.duplicatesHead, formatCount(voter.duplicates)],
                [STRINGS.fast(fastSeconds), <Speed key="speed" voter={voter} />],
                [STRINGS.lastVote, <RelativeTime key="last" at={voter.last_vote_at} />],
              ].map(([name, value]) => (
                <div key={String(name)}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
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
        <span className="block text-xs text-ink-3">{STRINGS.excludedVotes(formatCount(voter.excluded))}</span>
      )}
    </>
  );
}

function Speed({ voter }: { voter: VoterLine }) {
  if (voter.timed === 0) {
    return (
      <span className="text-ink-3" title={STRINGS.timeUnknown}>
        {STRINGS.noTime}
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
  if (!flag) return <span className="text-xs text-ink-3">{STRINGS.counts}</span>;
  return (
    <span className="inline-flex items-center gap-2.5">
      <span className={cn("text-xs", flag.excluded_at === null ? "text-bad" : "text-ink-2")}>
        {flag.excluded_at === null ? STRINGS.flagged : STRINGS.excludedState}
      </span>
      <VoterRuling voter={flag} small />
    </span>
  );
}
