/** What can be done with a limit: change it, raise it for a while, remove it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ArrowUp, CheckCheck, MoreHorizontal, Pencil, Trash2, Undo2 } from "lucide-react";
import { useState } from "react";
import { endRaise, forgiveUnconfirmed, type Limit, limitsKey, removeLimit } from "@/api/limits";
import { asApiError } from "@/api/problem";
import { METERS } from "@/features/limits/amounts";
import { RaiseDialog } from "@/features/limits/raise-dialog";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { IconButton } from "@/ui/icon-button";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/ui/menu";

export function LimitMenu({ limit, onChange }: { limit: Limit; onChange: () => void }) {
  const client = useQueryClient();
  const [open, setOpen] = useState<"raise" | "remove" | null>(null);
  const name = `${limit.subject.name}, ${METERS[limit.meter]} a ${limit.period}`;
  const act = useMutation({
    mutationFn: (work: (id: string) => Promise<unknown>) => work(limit.id),
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
    onSettled: () => client.invalidateQueries({ queryKey: limitsKey }),
  });
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <IconButton label={`Actions for ${name}`}>
            <MoreHorizontal />
          </IconButton>
        </MenuTrigger>
        <MenuContent align="end">
          <MenuItem onSelect={onChange}>
            <Pencil aria-hidden="true" />
            Change limit
          </MenuItem>
          <MenuItem onSelect={() => setOpen("raise")}>
            <ArrowUp aria-hidden="true" />
            Raise for a while
          </MenuItem>
          {limit.raised_by !== null && (
            <MenuItem onSelect={() => act.mutate(endRaise)}>
              <Undo2 aria-hidden="true" />
              End the raise
            </MenuItem>
          )}
          {limit.unconfirmed > 0 && (
            <MenuItem onSelect={() => act.mutate(forgiveUnconfirmed)}>
              <CheckCheck aria-hidden="true" />
              Give back what is unconfirmed
            </MenuItem>
          )}
          <MenuItem className="text-bad!" onSelect={() => setOpen("remove")}>
            <Trash2 aria-hidden="true" />
            Remove limit
          </MenuItem>
        </MenuContent>
      </Menu>
      {open === "raise" && <RaiseDialog limit={limit} onClose={() => setOpen(null)} />}
      <Dialog
        open={open === "remove"}
        onOpenChange={(next) => !next && setOpen(null)}
        title={`Remove the limit of ${limit.subject.name}?`}
        titled
      >
        <div className="flex flex-col gap-4 px-5 pt-2 pb-5">
          <p className="text-sm text-ink-2">
            Calls are no longer counted against it. What was used this {limit.period} is forgotten.
          </p>
          <Button
            className="self-end text-bad!"
            disabled={act.isPending}
            onClick={() => act.mutate(removeLimit)}
          >
            Remove limit
          </Button>
        </div>
      </Dialog>
    </>
  );
}
