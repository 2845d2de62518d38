/** Raises a limit until the end of a day. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Limit, limitsKey, raiseLimit } from "@/api/limits";
import { amountIn, METERS } from "@/features/limits/amounts";
import { LimitForm } from "@/features/limits/limit-form";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Labelled } from "@/ui/labelled";

const DAY_MS = 86_400_000;

export function RaiseDialog({ limit, onClose }: { limit: Limit; onClose: () => void }) {
  const client = useQueryClient();
  const [by, setBy] = useState("");
  const [until, setUntil] = useState(() => dateOf(new Date(Date.now() + DAY_MS)));
  const amount = amountIn(limit.meter, by);
  const raise = useMutation({
    mutationFn: () => raiseLimit(limit.id, { by: amount ?? 0, until: endOf(until) }),
    onSuccess: () => client.invalidateQueries({ queryKey: limitsKey }).then(onClose),
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Raise the limit of ${limit.subject.name}`}
      titled
    >
      <LimitForm
        submit="Raise limit"
        busy={raise.isPending}
        error={raise.error}
        ready={amount !== null && amount > 0 && until !== ""}
        onSubmit={() => raise.mutate()}
      >
        <div className="grid grid-cols-2 gap-3">
          <Labelled label={limit.meter === "money" ? "By, in US dollars" : `By, in ${METERS[limit.meter]}`}>
            {(id) => (
              <Field
                id={id}
                required
                inputMode="decimal"
                value={by}
                onChange={(event) => setBy(event.target.value)}
              />
            )}
          </Labelled>
          <Labelled label="Until the end of">
            {(id) => (
              <Field
                id={id}
                required
                type="date"
                min={dateOf(new Date())}
                value={until}
                onChange={(event) => setUntil(event.target.value)}
              />
            )}
          </Labelled>
        </div>
      </LimitForm>
    </Dialog>
  );
}

const dateOf = (date: Date) => date.toISOString().slice(0, 10);

/** The end of a day, in UTC as the limits count. */
const endOf = (date: string) => new Date(new Date(`${date}T00:00:00Z`).getTime() + DAY_MS).toISOString();
