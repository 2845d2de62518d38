/** Who spoke when, who answers whom and who changed their mind; every mark leads to its place. */

import { Flag, MessageCircle, RefreshCw, Split } from "lucide-react";
import { type KeyboardEvent, useMemo, useState } from "react";
import { SeatDot } from "@/features/panels/seat-dot";
import { useAnchors } from "@/features/rounds/anchors";
import {
  type Arrow,
  curveOf,
  LABELS,
  type Timeline as Laid,
  layTimeline,
  type Mark,
} from "@/features/team/lay-timeline";
import type { TeamView } from "@/features/team/read-team";
import { TimelineList } from "@/features/team/timeline-list";
import { isFailed, sentenceOf } from "@/features/team/timeline-sentences";
import { cn } from "@/lib/cn";
import { useWidth } from "@/lib/use-width";

/** Below this width time goes from top to bottom. */
const NARROW = 560;
const RADIUS = 21;

export function Timeline({ view }: { view: TeamView }) {
  const [box, width] = useWidth();
  const laid = useMemo(() => layTimeline(view, width), [view, width]);
  return (
    <div ref={box} className="min-w-0">
      {width > 0 && (width < NARROW ? <TimelineList view={view} /> : <Graph laid={laid} view={view} />)}
    </div>
  );
}

const MOVES: Record<string, (at: number, last: number) => number> = {
  ArrowRight: (at, last) => Math.min(last, at + 1),
  ArrowLeft: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_, last) => last,
};

function Graph({ laid, view }: { laid: Laid; view: TeamView }) {
  const [lit, setLit] = useState<string | null>(null);
  const changes = laid.marks.some(({ event }) => event.kind === "statement" && event.statement.said?.changed);
  const hows = new Set(laid.arrows.map(({ how }) => how));
  // The timeline is one stop of the Tab key; within it the arrow keys lead from mark to mark.
  const [current, setCurrent] = useState<string | null>(null);
  const at = Math.max(
    0,
    laid.marks.findIndex(({ event }) => event.anchor === current),
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const next = MOVES[event.key]?.(at, laid.marks.length - 1);
    if (next === undefined) return;
    event.preventDefault();
    event.currentTarget.querySelectorAll("button")[next]?.focus();
  };
  return (
    <>
      <div role="group" aria-label="Timeline" data-scroll-area className="overflow-x-auto">
        <div className="relative" style={{ width: laid.width, height: laid.height }}>
          <Lines laid={laid} lit={lit} />
          {laid.rows.map(({ expert, y }) => (
            <p
              key={expert?.seat ?? ""}
              className="absolute left-0 flex -translate-y-1/2 items-center gap-2 pr-2 text-xs"
              style={{ top: y, width: LABELS }}
            >
              <SeatDot color={expert?.color ?? "var(--ink-3)"} />
              <span
                className="truncate font-medium"
                title={expert ? `${expert.role} · ${expert.name}` : undefined}
              >
                {expert?.role ?? "You"}
              </span>
            </p>
          ))}
          <ol className="list-none p-0" onKeyDown={onKeyDown}>
            {laid.marks.map((mark, index) => (
              <li key={mark.event.anchor}>
                <MarkButton
                  mark={mark}
                  view={view}
                  dim={isDim(laid, lit, mark)}
                  onLight={setLit}
                  reachable={index === at}
                  onReach={setCurrent}
                />
              </li>
            ))}
          </ol>
        </div>
      </div>
      {(hows.size > 0 || changes) && (
        <ul
          aria-label="Legend"
          className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-3"
        >
          {hows.has("said") && <Sample label="answers, as the expert says" />}
          {hows.has("found") && <Sample label="answers, found in the text" dashed />}
          {changes && (
            <li className="flex items-center gap-1.5">
              <RefreshCw aria-hidden="true" className="size-3 text-accent" />
              changed their mind
            </li>
          )}
        </ul>
      )}
    </>
  );
}

const Sample = ({ label, dashed = false }: { label: string; dashed?: boolean }) => (
  <li className="flex items-center gap-1.5">
    <svg aria-hidden="true" width="22" height="6">
      <line
        x1="0"
        x2="22"
        y1="3"
        y2="3"
        stroke="var(--ink-2)"
        strokeWidth="1.5"
        strokeDasharray={dashed ? "3 3" : undefined}
      />
    </svg>
    {label}
  </li>
);

/** While one is looked at, those it has nothing to do with step back. */
function isDim(laid: Laid, lit: string | null, { event: { anchor } }: Mark): boolean {
  const mine = laid.arrows.filter((arrow) => touches(arrow, lit));
  return mine.length > 0 && !mine.some((arrow) => touches(arrow, anchor));
}

const touches = ({ from, to }: Arrow, anchor: string | null): boolean =>
  from.event.anchor === anchor || to.event.anchor === anchor;

function Lines({ laid, lit }: { laid: Laid; lit: string | null }) {
  return (
    <svg aria-hidden="true" width={laid.width} height={laid.height} className="num absolute inset-0 text-2xs">
      <defs>
        <marker
          id="team-arrow"
          viewBox="0 0 6 6"
          refX="5"
          refY="3"
          markerWidth="6"
          markerHeight="6"
          orient="auto"
        >
          <path d="M0,0 L6,3 L0,6 z" fill="var(--ink-3)" />
        </marker>
      </defs>
      {laid.bands.map(({ round, left, right }) => (
        <g key={round.number}>
          <line x1={left} x2={left} y1={4} y2={laid.height} stroke="var(--line)" />
          <text x={left + 8} y={14} fill="var(--ink-3)">
            {round.synthesis ? "" : right - left > 74 ? `Round ${round.number}` : round.number}
          </text>
        </g>
      ))}
      {laid.rows.map(({ expert, y }) => (
        <line
          key={expert?.seat ?? ""}
          x1={LABELS}
          x2={laid.width}
          y1={y}
          y2={y}
          stroke="var(--line)"
          strokeOpacity={0.6}
        />
      ))}
      {laid.arrows.map((arrow) => (
        <path
          key={`${arrow.from.event.anchor} ${arrow.to.event.anchor}`}
          d={curveOf(arrow, RADIUS)}
          fill="none"
          stroke="var(--ink-3)"
          strokeWidth={touches(arrow, lit) ? 2 : 1.25}
          strokeOpacity={lit !== null && !touches(arrow, lit) ? 0.2 : 0.85}
          strokeDasharray={arrow.how === "found" ? "3 3" : undefined}
          markerEnd="url(#team-arrow)"
        />
      ))}
    </svg>
  );
}

interface MarkProps {
  mark: Mark;
  view: TeamView;
  dim: boolean;
  onLight: (anchor: string | null) => void;
  /** The Tab key comes to it. */
  reachable: boolean;
  onReach: (anchor: string) => void;
}

function MarkButton({ mark: { event, x, y }, view, dim, onLight, reachable, onReach }: MarkProps) {
  const { jump } = useAnchors();
  const { kind, anchor, seat } = event;
  const title = sentenceOf(event, view.experts);
  const statement = kind === "statement" ? event.statement : null;
  const writing = statement?.writing || (kind === "synthesis" && event.synthesis.writing);
  return (
    <button
      type="button"
      aria-label={`Go to ${title}`}
      title={title}
      onClick={() => jump(anchor)}
      onPointerEnter={() => onLight(anchor)}
      onPointerLeave={() => onLight(null)}
      tabIndex={reachable ? 0 : -1}
      onFocus={() => {
        onLight(anchor);
        onReach(anchor);
      }}
      onBlur={() => onLight(null)}
      className={cn(
        "num absolute flex h-6 -translate-x-1/2 -translate-y-1/2 items-center justify-center gap-0.5 rounded-full border-[1.5px] bg-surface text-2xs text-ink transition-opacity hover:bg-raised [&_svg]:size-3",
        statement && isFailed(statement) && "border-dashed",
        writing && "animate-shimmer",
        dim && "opacity-40",
      )}
      style={{
        left: x,
        top: y,
        width: 2 * RADIUS,
        borderColor: view.experts.find((expert) => expert.seat === seat)?.color ?? "var(--ink-3)",
      }}
    >
      {kind === "statement" && anchor}
      {kind === "choice" && <Split aria-hidden="true" />}
      {kind === "synthesis" && <Flag aria-hidden="true" />}
      {kind === "person" && <MessageCircle aria-hidden="true" />}
      {statement?.said?.changed && <RefreshCw aria-hidden="true" className="size-2.5! text-accent" />}
    </button>
  );
}
