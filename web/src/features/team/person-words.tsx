/** What the person said besides the question, and when. */

import { RelativeTime } from "@/components/relative-time";
import { usePlaces, wordPlace } from "@/features/team/places";
import type { Expert, PersonSaid } from "@/features/team/read-team";
import { placeOf } from "@/features/team/references";
import { saidTitle } from "@/features/team/words";

interface PersonWordsProps {
  said: PersonSaid;
  experts: readonly Expert[];
  /** Why nobody has heard it yet. */
  note?: string;
}

export function PersonWords({ said, experts, note }: PersonWordsProps) {
  const { question } = usePlaces();
  const text = "text" in said.input ? said.input.text : "";
  return (
    <div
      id={placeOf(question, wordPlace(said.id))}
      tabIndex={-1}
      className="team-place ml-auto w-fit max-w-[min(640px,88%)] rounded-lg rounded-br-xs border border-line bg-bubble px-[15px] py-2 text-sm"
    >
      <p className="text-xs text-ink-2">
        {saidTitle(said, experts)} · <RelativeTime at={said.at} />
      </p>
      {text && <p className="mt-0.5 text-md whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>}
      {note && <p className="mt-0.5 text-xs text-ink-2">{note}</p>}
    </div>
  );
}
