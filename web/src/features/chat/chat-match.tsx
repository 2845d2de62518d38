/** A chat: one reading column. */
import { Column } from "@/components/column";
import type { MatchProps } from "@/features/arena/mode-feature";
import { ChatTurn } from "@/features/chat/chat-turn";
import { useFirstRenderedTurn } from "@/features/chat/use-first-rendered-turn";
import { cn } from "@/lib/cn";

/** From so many turns on, those out of sight are not laid out. */
const MANY = 24;
/** What stands beside a turn's text, such as its buttons, is not cut off. */
const IN_SIGHT = "*:-mx-3 *:px-3 *:[contain-intrinsic-size:auto_640px] *:[content-visibility:auto]";

export function ChatMatch({ record, active, firstTurn }: MatchProps) {
  const from = useFirstRenderedTurn(record.turns);
  return (
    <div className="shrink-0 text-md">
      <Column className={cn(record.turns.length > MANY && IN_SIGHT)}>
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
