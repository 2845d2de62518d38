/** One turn of a mode that goes by rounds: its place in the session, its question, and what stands under it. */

import type { ReactNode } from "react";
import type { MatchView, TurnView } from "@/api/types";
import { Column } from "@/components/column";
import type { Scene } from "@/features/arena/pictures/scene";
import { PromptBubble } from "@/features/arena/prompt-bubble";
import { TurnPlaceContext, usePictured, useTurnPlace } from "@/features/arena/turn-place";
import { cn } from "@/lib/cn";

interface TurnProps {
  turn: TurnView;
  /** Its number in the session. */
  number: number;
  /** Given where the turn can be replayed from its menu. */
  match?: MatchView;
  /** It goes on with the question above it. */
  continues?: boolean;
  /** What a picture of the turn shows, where one can be made of it. */
  picture?: (() => Scene) | null;
  children: ReactNode;
}

export function Turn({ turn, number, match, continues = false, picture = null, children }: TurnProps) {
  const place = usePictured(useTurnPlace(number, turn, match), picture);
  return (
    <TurnPlaceContext value={place}>
      <section
        id={`turn-${number}`}
        data-turn={turn.id}
        aria-label={`Turn ${number}`}
        className={cn("shrink-0", continues ? "pt-3.5" : "pt-5")}
      >
        <Column wide className="@container flex flex-col gap-3.5">
          {turn.input.type === "prompt" && <PromptBubble {...turn.input} />}
          {children}
        </Column>
      </section>
    </TurnPlaceContext>
  );
}
