/** A chat: one reading column. */
import { Column } from "@/components/column";
import type { MatchProps } from "@/features/arena/mode-feature";
import { ChatTurn } from "@/features/chat/chat-turn";

export function ChatMatch({ record, active, firstTurn }: MatchProps) {
  const seat = record.match.seats[0];
  return (
    <div className="shrink-0 text-md">
      <Column>
        {record.turns.map((turn, index) => (
          <ChatTurn
            key={turn.id}
            turn={turn}
            seat={seat}
            number={firstTurn + index}
            last={active && index === record.turns.length - 1}
            open={record.match.status === "open"}
          />
        ))}
      </Column>
    </div>
  );
}
