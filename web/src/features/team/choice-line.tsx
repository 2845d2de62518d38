/** Whom a moderator chose to speak, what they are asked, and why another one speaks where the choice was of no use. */

import { Megaphone, TriangleAlert } from "lucide-react";
import { Disclosure } from "@/components/disclosure";
import { Markdown } from "@/components/markdown/markdown";
import { MetricsLine } from "@/features/arena/metrics-line";
import { useAnchor } from "@/features/rounds/anchors";
import type { ChoiceNote } from "@/features/team/notes";
import type { Expert, Round } from "@/features/team/read-team";
import { choiceAnchor } from "@/features/team/timeline-events";
import { listed, roleOf } from "@/features/team/words";

const FALLBACK_WHY = {
  failed: (role: string) => `${role} gave no answer.`,
  nonsense: (role: string) => `${role}’s reply names nobody in the expected form.`,
  nobody: (role: string) => `${role} chose nobody.`,
  absent: (role: string, named: string) => `${role} chose ${named}, who cannot speak now.`,
};

interface ChoiceLineProps {
  number: number;
  choice: NonNullable<Round["choice"]>;
  experts: readonly Expert[];
}

export function ChoiceLine({ number, choice, experts }: ChoiceLineProps) {
  const { note, reply, expert } = choice;
  const anchor = useAnchor(choiceAnchor(number));
  const Sign = note?.how === "fallback" ? TriangleAlert : Megaphone;
  return (
    <div
      {...anchor}
      className="flex flex-col gap-2 rounded-md border border-line bg-surface px-3.5 py-2.5 text-sm"
    >
      <p className="flex items-start gap-2">
        <Sign aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ink-3" />
        <span className={note ? "" : "animate-shimmer"}>
          {note ? choiceSentence(note, expert.role, experts) : `${expert.role} is choosing who speaks…`}
        </span>
      </p>
      {note?.asks && !note.enough && (
        <p className="pl-6 text-ink-2">
          <span className="text-ink-3">Asks: </span>
          {note.asks}
        </p>
      )}
      {note && reply?.text && (
        <Disclosure label="Full reply">
          <Markdown text={reply.text} />
          {reply.metrics && <MetricsLine metrics={reply.metrics} className="mt-2" />}
        </Disclosure>
      )}
    </div>
  );
}

/** What a moderator chose, as a sentence. */
export function choiceSentence(note: ChoiceNote, role: string, experts: readonly Expert[]): string {
  const chosen = listed(note.chosen.map((seat) => roleOf(experts, seat)));
  if (note.enough) return `${role}: the question is answered well enough for a synthesis.`;
  if (note.how === "moderator") return `${role} chose ${chosen}.`;
  const why = FALLBACK_WHY[note.problem ?? "nobody"](role, listed(note.named));
  return `${why} ${chosen} speaks, who has said least so far.`;
}
