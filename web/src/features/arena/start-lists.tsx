/** Under the modes: the latest sessions and the top of the leaderboard. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMayWrite } from "@/api/permissions";
import { sessionsQuery } from "@/api/queries";
import { boardQuery, DEFAULT_BOARD } from "@/api/standings";
import type { LeaderboardLine } from "@/api/standings-types";
import type { SessionCard } from "@/api/types";
import { LazyMark } from "@/components/lazy-mark";
import { RelativeTime } from "@/components/relative-time";
import { useFeature, useModes } from "@/features/arena/mode-feature";
import { IntervalBar } from "@/features/standings/interval-bar";
import { rankRange } from "@/features/standings/rank-range";
import { counted, formatRating } from "@/lib/format";
import { type Scale, scaleOver } from "@/lib/scale";
import { colorOfModel } from "@/lib/series";

const SESSIONS = 4;
const LINES = 5;

export function StartLists() {
  // The same list as the sidebar's: asked for once.
  const { data } = useInfiniteQuery(sessionsQuery({ search: "", mode: null, tag: null, pinned: false }));
  const sessions = data?.pages[0]?.sessions.slice(0, SESSIONS) ?? [];
  const { data: board } = useQuery(boardQuery(DEFAULT_BOARD));
  if (sessions.length === 0 && !board?.lines.length) return null;
  return (
    <div className="start-lists animate-fade-in">
      {sessions.length > 0 && (
        <List title="Recent sessions">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </List>
      )}
      <List
        title="Leaderboard"
        figures={
          board &&
          board.lines.length > 0 &&
          `${counted(board.votes, "vote")} · ${counted(board.lines.length, "model")}`
        }
        more={
          <Link
            to="/leaderboard/$category"
            params={{ category: "overall" }}
            className="inline-flex touch:min-h-11 items-center rounded-xs text-xs font-medium text-ink-2 hover:text-ink hover:underline"
          >
            Full table
          </Link>
        }
      >
        {board?.lines.length ? <BoardRows lines={board.lines} /> : <NoBoard />}
      </List>
    </div>
  );
}

interface ListProps {
  title: string;
  figures?: ReactNode;
  more?: ReactNode;
  children: ReactNode;
}

function List({ title, figures, more, children }: ListProps) {
  return (
    <section aria-label={title} className="min-w-0 flex-1">
      <div className="flex min-h-7 items-center gap-2 px-0.5">
        <h2 className="text-sm font-semibold">{title}</h2>
        {figures && <span className="num text-xs text-ink-2">{figures}</span>}
        <span className="flex-1" />
        {more}
      </div>
      <ul className="mt-1 divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
        {children}
      </ul>
    </section>
  );
}

const ROW = "focus-inset flex items-center gap-3 rounded-md px-3.5 transition-colors hover:bg-hover/60";

function SessionRow({ session }: { session: SessionCard }) {
  const { icon: Icon } = useFeature(session.mode);
  const title = useModes().find(({ info }) => info.name === session.mode)?.info.title;
  const mayWrite = useMayWrite();
  return (
    <li>
      <Link to="/s/$session" params={{ session: session.id }} search={{}} className={`${ROW} min-h-13`}>
        <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
        <span className="min-w-0 flex-1 leading-snug">
          <span className="block truncate text-sm font-medium">{session.title}</span>
          {session.unvoted && mayWrite ? (
            <span className="flex items-center gap-1.5 text-xs text-gold">
              <i aria-hidden="true" className="size-2 rounded-full border-2 border-gold-line" />
              Waiting for your vote
            </span>
          ) : (
            <span className="block text-xs text-ink-2">{title}</span>
          )}
        </span>
        <span className="text-xs text-ink-2">
          <RelativeTime at={session.updated_at} />
        </span>
      </Link>
    </li>
  );
}

function BoardRows({ lines }: { lines: readonly LeaderboardLine[] }) {
  const top = lines.slice(0, LINES);
  const scale = scaleOver(
    top.flatMap((line) => [line.ci_lower ?? line.rating, line.ci_upper ?? line.rating]),
  );
  return top.map((line) => (
    <li key={line.model.id}>
      <BoardRow line={line} range={rankRange(lines, line.model.id)} scale={scale} />
    </li>
  ));
}

function BoardRow({ line, range, scale }: { line: LeaderboardLine; range: string | null; scale: Scale }) {
  return (
    <Link
      to="/models/$model"
      params={{ model: line.model.id }}
      className={`${ROW} min-h-[41.6px] touch:min-h-12`}
    >
      <span className="num w-8 shrink-0 text-sm text-ink-2">{range ?? "–"}</span>
      <LazyMark organization={line.model.organization} name={line.model.name} />
      <span className="min-w-0 flex-[1.2] truncate text-sm font-medium">{line.model.name}</span>
      <span className="min-w-0 flex-1">
        <IntervalBar
          rating={line.rating}
          lower={line.ci_lower}
          upper={line.ci_upper}
          scale={scale}
          color={colorOfModel(line.model)}
        />
      </span>
      <span className="num w-11 shrink-0 text-right text-sm font-semibold">{formatRating(line.rating)}</span>
    </Link>
  );
}

const NoBoard = () => (
  <li className="px-3.5 py-4 text-sm text-ink-2">Models appear here once they have five votes each.</li>
);
