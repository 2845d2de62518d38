/** A chat: one reading column. */
import { Column } from "@/components/column";
import type { MatchProps } from "@/features/arena/mode-feature";
import { ChatTurn } from "@/features/chat/chat-turn";
import { useShownFrom } from "@/features/chat/use-shown-from";

export function ChatMatch({ record, active, firstTurn }: MatchProps) {
  const from = useShownFrom(record.turns.length);
  return (
    <div className="shrink-0 text-md">
      <Column>
        {record.turns.map(
          (turn, index) =>
            index >= from && (
              <ChatTurn
                key={turn.id}
                turn={turn}
                match={record.match}
                before={record.turns[index - 1]?.id}
                number={firstTurn + index}
                last={active && index === record.turns.length - 1}
              />
            ),
        )}
      </Column>
    </div>
  );
}
