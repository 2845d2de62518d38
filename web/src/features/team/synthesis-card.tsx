/** The synthesis in its fixed parts; each point leads to the statements that it comes from. */

import { CopyButton } from "@/components/copy-button";
import { Folded } from "@/components/folded";
import { CameAbout } from "@/features/arena/came-about";
import { MetricsLine } from "@/features/arena/metrics-line";
import { ReplyMenu } from "@/features/arena/turn-menus";
import { FollowsReferences, LinkedText } from "@/features/team/linked-text";
import { PARTS, type Part, type Point, type SynthesisNote } from "@/features/team/notes";
import { synthesisPlace, usePlaces } from "@/features/team/places";
import type { Expert, Synthesis } from "@/features/team/read-team";
import { placeOf } from "@/features/team/references";
import { STRINGS } from "@/features/team/strings";
import { roleOf } from "@/features/team/words";
import { cn } from "@/lib/cn";
import { Skeleton } from "@/ui/skeleton";

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
  const { question } = usePlaces();
  const text = reply.text;
  const by =
    expert.name === expert.role ? STRINGS.byName(expert.role) : STRINGS.bySpeaker(expert.role, expert.name);
  return (
    <section
      id={placeOf(question, synthesisPlace(number))}
      tabIndex={-1}
      aria-label={STRINGS.synthesis}
      data-reading-start={!outdated || undefined}
      className="team-place rounded-lg border border-line-strong bg-surface"
    >
      <header className="flex min-h-11 items-center gap-x-3 border-b border-line py-1.5 pr-2.5 pl-4 sm:pl-5">
        <h3 className="text-md font-semibold">{STRINGS.synthesis}</h3>
        <span className="min-w-0 flex-1 text-sm leading-tight text-ink-3 [overflow-wrap:anywhere]">{by}</span>
        {text && !writing && <CopyButton text={text} label={STRINGS.copySynthesis} />}
        {text && !writing && <ReplyMenu name={expert.role} text={text} />}
      </header>
      {(why || outdated) && (
        <p className="border-b border-line px-4 py-2 text-sm text-ink-2 sm:px-5">
          {[why, outdated && STRINGS.newerRounds].filter(Boolean).join(" ")}
        </p>
      )}
      <div className="px-4 py-4 sm:px-5">
        <Body synthesis={synthesis} experts={experts} />
        {!writing && (
          <CameAbout model={expert.model} turnId={synthesis.turn.id} replyId={reply.id} className="mt-4" />
        )}
      </div>
      {reply.metrics && !writing && (
        <footer className="border-t border-line px-4 py-2 sm:px-5">
          <MetricsLine metrics={reply.metrics} />
        </footer>
      )}
    </section>
  );
}

function Body({ synthesis, experts }: Pick<SynthesisProps, "synthesis" | "experts">) {
  const { expert, reply, writing, note } = synthesis;
  if (note?.parsed) return <Parts note={note} experts={experts} />;
  if (reply.text === "") {
    if (!writing) return <p className="text-sm text-ink-3">{reply.error?.title ?? STRINGS.noSynthesis}</p>;
    return (
      <div className="space-y-3 py-1">
        <span className="sr-only">{STRINGS.writingSynthesis(expert.role)}</span>
        <Skeleton className="h-3.5 w-[70%]" />
        <Skeleton className="h-3.5 w-[62%]" />
        <Skeleton className="h-3.5 w-[38%]" />
      </div>
    );
  }
  return (
    <FollowsReferences className="team-text flex flex-col gap-3">
      <Warning text={note?.warning} />
      <LinkedText text={reply.text} writing={writing} />
    </FollowsReferences>
  );
}

const Warning = ({ text }: { text: string | null | undefined }) =>
  text && (
    <p role="note" className="rounded-md border border-bad/40 px-3 py-2 text-sm">
      {text}
    </p>
  );

/** What to do stands first and largest; beside it who agrees, who does not, and what nobody knows. */
function Parts({ note, experts }: { note: SynthesisNote; experts: readonly Expert[] }) {
  const [first, ...others] = PARTS;
  return (
    <FollowsReferences className="team-text flex flex-col gap-5">
      <Warning text={note.warning} />
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
    <section
      aria-label={STRINGS.parts[part]}
      className={cn("min-w-0", part === "minority" && "border-l-2 border-line-strong pl-3.5")}
    >
      <h4 className="mb-1.5 text-sm font-semibold">{STRINGS.parts[part]}</h4>
      {points.length === 0 ? (
        <p className="text-sm text-ink-3">{STRINGS.noPoints}</p>
      ) : (
        <List className={cn("space-y-2.5", points.length > 1 ? marks : "list-none p-0")}>
          {points.map((point) => (
            <li key={point.text}>
              <LinkedText text={point.text} />
              {HELD.includes(part) && point.holders.length > 0 && (
                <Holders seats={point.holders} experts={experts} />
              )}
              {point.unknown.length > 0 && (
                <p className="mt-1 text-xs text-ink-3">{STRINGS.unknownRefs(point.unknown.join(", "))}</p>
              )}
            </li>
          ))}
        </List>
      )}
    </section>
  );
}

function Holders({ seats, experts }: { seats: readonly string[]; experts: readonly Expert[] }) {
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-0.5 text-xs text-ink-2">
      <span className="text-ink-3">{STRINGS.heldBy}</span>
      {seats.map((seat) => (
        <span key={seat} className="inline-flex items-center gap-1.5">
          <i
            aria-hidden="true"
            className="size-1.5 rounded-full"
            style={{ background: experts.find((expert) => expert.seat === seat)?.color }}
          />
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
  const { question } = usePlaces();
  return (
    <div id={placeOf(question, synthesisPlace(number))} tabIndex={-1} className="team-place">
      <Folded label={STRINGS.earlierSynthesis} aside={STRINGS.byName(synthesis.expert.role)}>
        <Body synthesis={synthesis} experts={experts} />
      </Folded>
    </div>
  );
}
