/** Deletes everything, once the person has typed the word. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { type DataSummary, eraseData } from "@/api/data";
import { asApiError } from "@/api/problem";
import { counted } from "@/lib/format";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";

export function DeleteDialog({ data, onClose }: { data: DataSummary; onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const client = useQueryClient();
  const field = useId();
  const erase = useMutation({
    mutationFn: eraseData,
    onSuccess: ({ sessions, presets }) => {
      showToast(`Deleted ${counted(sessions, "session")} and ${counted(presets, "preset")}.`);
      onClose();
    },
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
    onSettled: () => {
      client.removeQueries({ queryKey: ["session"] });
      client.invalidateQueries();
    },
  });
  const ready = typed.trim().toLowerCase() === "delete" && !erase.isPending;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !erase.isPending && onClose()}
      title="Delete everything?"
      titled
    >
      <form
        className="flex flex-col gap-4 px-5 pt-2 pb-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) erase.mutate();
        }}
      >
        <p className="text-sm text-ink-2">
          {counted(data.sessions, "session")} with all questions and answers, and{" "}
          {counted(data.presets, "preset")}. This can’t be undone.
        </p>
        <p className="text-sm text-ink-2">
          Your votes keep counting in the leaderboard, without their texts. To delete them too, stop Parley
          and delete its data folder.
        </p>
        <div className="flex flex-col gap-1.5">
          <label htmlFor={field} className="text-sm font-medium">
            Type “delete” to confirm
          </label>
          <Field
            id={field}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <div className="flex justify-end gap-2">
          <Button disabled={erase.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" disabled={!ready}>
            {erase.isPending ? "Deleting…" : "Delete everything"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
