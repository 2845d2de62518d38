/** Whom a moderator chose to speak, what they are asked, and why another one speaks where the choice was of no use. */

import { Megaphone, TriangleAlert } from "lucide-react";
import { Folded } from "@/components/folded";
import { Markdown } from "@/components/markdown/markdown";
import { MetricsLine } from "@/features/arena/metrics-line";
import type { ChoiceNote } from "@/features/team/notes";
import { choicePlace, usePlaces } from "@/features/team/places";
import type { Expert, Round } from "@/features/team/read-team";
import { placeOf } from "@/features/team/references";
import { STRINGS } from "@/features/team/strings";
import { listed, roleOf } from "@/features/team/words";

interface ChoiceLineProps {
  number: number;
  choice: NonNullable<Round["choice"]>;
  experts: readonly Expert[];
}

export function ChoiceLine({ number, choice, experts }: ChoiceLineProps) {
  const { note, reply, expert } = choice;
  const { question } = usePlaces();
  const Sign = note?.how === "fallback" ? TriangleAlert : Megaphone;
  return (
    <div
      id={placeOf(question, choicePlace(number))}
      tabIndex={-1}
      className="team-place flex flex-col gap-2 rounded-md border border-line bg-surface px-3.5 py-2.5 text-sm"
    >
      <p className="flex items-start gap-2">
        <Sign aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ink-3" />
        <span className={note ? "" : "animate-shimmer"}>
          {note ? choiceSentence(note, expert.role, experts) : STRINGS.choosing(expert.role)}
        </span>
      </p>
      {note?.asks && !note.enough && (
        <p className="pl-6 text-ink-2">
          <span className="text-ink-3">{STRINGS.asks}</span>
          {note.asks}
        </p>
      )}
      {note && reply?.text && (
        <Folded label={STRINGS.showReply}>
          <Markdown text={reply.text} />
          {reply.metrics && <MetricsLine metrics={reply.metrics} className="mt-2" />}
        </Folded>
      )}
    </div>
  );
}

/** What a moderator chose, as a sentence. */
export function choiceSentence(note: ChoiceNote, role: string, experts: readonly Expert[]): string {
  const chosen = listed(note.chosen.map((seat) => roleOf(experts, seat)));
  if (note.enough) return STRINGS.choseSynthesis(role);
  if (note.how === "moderator") return STRINGS.chose(role, chosen);
  const why = STRINGS.fallbackWhy[note.problem ?? "nobody"](role, listed(note.named));
  return STRINGS.fallback(why, chosen);
}
