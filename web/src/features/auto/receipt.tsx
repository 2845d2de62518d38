/** Why a turn went to its model, with another way. */
import { useQuery } from "@tanstack/react-query";
import { Route } from "lucide-react";
import { modelsQuery } from "@/api/queries";
import { routedQuery } from "@/features/auto/auto-api";
import { reasonOf } from "@/features/auto/auto-words";
import { Button } from "@/ui/button";

interface ReceiptProps {
  session: string;
  turn: string;
  name: string;
  /** Changes when there may be a decision that was not there before. */
  moment: string;
  onAnother: (() => void) | undefined;
}

export function Receipt({ session, turn, name, moment, onAnother }: ReceiptProps) {
  const { data } = useQuery(routedQuery(session, moment));
  const { data: models } = useQuery(modelsQuery);
  const routed = data?.find(({ turn_id }) => turn_id === turn);
  if (!routed) return null;
  const used = models?.find(({ id }) => id === routed.used)?.name;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-line bg-raised px-3 py-2 text-sm">
      <Route aria-hidden="true" className="size-4 shrink-0 text-accent" />
      <p className="m-0 min-w-0 flex-[1_1_16rem] text-ink-2">
        Auto chose <strong className="text-ink">{name}</strong>. {reasonOf(routed.decision)}
        {used && ` You used ${used} instead.`}
      </p>
      {onAnother && (
        <Button size="sm" onClick={onAnother}>
          Use another
        </Button>
      )}
    </div>
  );
}
