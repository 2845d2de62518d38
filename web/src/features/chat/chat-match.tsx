/** A chat: one reading column. */
import type { MatchProps } from "@/features/arena/mode-feature";
import { ChatTurn } from "@/features/chat/chat-turn";

export function ChatMatch({ record, active, firstTurn }: MatchProps) {
  const seat = record.match.seats[0];
  return (
    <div className="mx-auto w-full max-w-[calc(68ch+40px)] shrink-0 px-4 text-md sm:px-5">
      {record.turns.map((turn, index) => (
        <ChatTurn
          key={turn.id}
          turn={turn}
          seat={seat}
          number={firstTurn + index}
          last={active && index === record.turns.length - 1}
        />
      ))}
    </div>
  );
}
