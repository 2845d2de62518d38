/** The synthesis in its fixed parts; each point leads to the statements that it comes from. */

import { Disclosure } from "@/components/disclosure";
import { EnsembleRounds } from "@/features/arena/ensemble-rounds";
import { WaitingLines } from "@/features/arena/reply-body";
import { SeatDot } from "@/features/panels/seat-dot";
import { synthesisAnchor, useAnchor } from "@/features/rounds/anchors";
import { Conclusion, ConclusionWarning } from "@/features/rounds/conclusion";
import { FollowsReferences, LinkedText } from "@/features/team/linked-text";
import { PARTS, type Part, type Point, type SynthesisNote } from "@/features/team/notes";
import type { Expert, Synthesis } from "@/features/team/read-team";
import { roleOf } from "@/features/team/words";
import { cn } from "@/lib/cn";

const TITLES = {
  recommendation: "Recommendation",
  consensus: "Consensus",
  disagreements: "Disagreements",
  assumptions: "Assumptions",
  minority: "Minority report",
};

interface SynthesisProps {
  synthesis: Synthesis;
  number: number;
  experts: readonly Expert[];
  /** Why the rounds ended. */
  why: string | null;
  /** Rounds have been played since. */
  outdated: boolean;
}

export function SynthesisCard({ synthesis, number, experts, why, outdated }: SynthesisProps) {
  const { expert, reply, writing } = synthesis;
  return (
    <Conclusion
      round={number}
      title="Synthesis"
      author={expert.role}
      model={expert.name === expert.role ? null : expert.name}
      final
      first={!outdated}
      text={reply.text}
      writing={writing}
      reply={reply}
      why={[why, outdated && "Newer rounds are not in this synthesis yet."].filter(Boolean).join(" ")}
    >
      <Body synthesis={synthesis} experts={experts} />
      {!writing && (
        <EnsembleRounds model={expert.model} turnId={synthesis.turn.id} replyId={reply.id} className="mt-4" />
      )}
    </Conclusion>
  );
}

function Body({ synthesis, experts }: Pick<SynthesisProps, "synthesis" | "experts">) {
  const { expert, reply, writing, note } = synthesis;
  if (note?.parsed) return <Parts note={note} experts={experts} />;
  if (reply.text === "") {
    if (!writing) return <p className="text-sm text-ink-3">{reply.error?.title ?? "No synthesis."}</p>;
    return <WaitingLines label={`${expert.role} is writing the synthesis…`} />;
  }
  return (
    <FollowsReferences className="team-text flex flex-col gap-3">
      <ConclusionWarning text={note?.warning} />
      <LinkedText text={reply.text} writing={writing} />
    </FollowsReferences>
  );
}

/** What to do stands first and largest; beside it who agrees, who does not, and what nobody knows. */
function Parts({ note, experts }: { note: SynthesisNote; experts: readonly Expert[] }) {
  const [first, ...others] = PARTS;
  return (
    <FollowsReferences className="team-text flex flex-col gap-5">
      <ConclusionWarning text={note.warning} />
      <div className="team-recommendation max-w-[72ch]">
        <PartOf part={first} points={note[first]} experts={experts} />
      </div>
      <div className="team-points grid gap-x-8 gap-y-5 @3xl:grid-cols-2">
        {others.map((part) => (
          <PartOf key={part} part={part} points={note[part]} experts={experts} />
        ))}
      </div>
    </FollowsReferences>
  );
}

interface PartProps {
  part: Part;
  points: readonly Point[];
  experts: readonly Expert[];
}

/** Where it matters who thinks so. */
const HELD: readonly Part[] = ["disagreements", "minority"];

function PartOf({ part, points, experts }: PartProps) {
  const List = part === "recommendation" ? "ol" : "ul";
  const marks = List === "ol" ? "list-decimal pl-5" : "list-disc pl-4";
  return (
    <div
      role="group"
      aria-label={TITLES[part]}
      className={cn("min-w-0", part === "minority" && "border-l-2 border-line-strong pl-3.5")}
    >
      <h4 className="mb-1.5 text-sm font-semibold">{TITLES[part]}</h4>
      {points.length === 0 ? (
        <p className="text-sm text-ink-3">None.</p>
      ) : (
        <List className={cn("space-y-2.5", points.length > 1 ? marks : "list-none p-0")}>
          {points.map((point) => (
            <li key={point.text}>
              <LinkedText text={point.text} />
              {HELD.includes(part) && point.holders.length > 0 && (
                <Holders seats={point.holders} experts={experts} />
              )}
              {point.unknown.length > 0 && (
                <p className="mt-1 text-xs text-ink-3">
                  Refers to {point.unknown.join(", ")}, which does not exist.
                </p>
              )}
            </li>
          ))}
        </List>
      )}
    </div>
  );
}

function Holders({ seats, experts }: { seats: readonly string[]; experts: readonly Expert[] }) {
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-0.5 text-xs text-ink-2">
      <span className="text-ink-3">Held by</span>
      {seats.map((seat) => (
        <span key={seat} className="inline-flex items-center gap-1.5">
          <SeatDot color={experts.find((expert) => expert.seat === seat)?.color} className="size-1.5" />
          {roleOf(experts, seat)}
        </span>
      ))}
    </p>
  );
}

/** A synthesis that a newer one has replaced. */
export function EarlierSynthesis({
  synthesis,
  number,
  experts,
}: Pick<SynthesisProps, "synthesis" | "number" | "experts">) {
  return (
    <div {...useAnchor(synthesisAnchor(number))}>
      <Disclosure label="Earlier synthesis" aside={`by ${synthesis.expert.role}`}>
        <Body synthesis={synthesis} experts={experts} />
      </Disclosure>
    </div>
  );
}
