/** Gives a model another name. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { asApiError } from "@/api/problem";
import { changeModel, refreshCatalog } from "@/api/providers";
import type { ModelCard } from "@/api/types";
import { STRINGS } from "@/features/providers/strings";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";

export function RenameDialog({ model, onClose }: { model: ModelCard; onClose: () => void }) {
  const [name, setName] = useState(model.name);
  const id = useId();
  const client = useQueryClient();
  const rename = useMutation({
    mutationFn: () => changeModel(model.id, { name: name.trim() }),
    onSuccess: async () => {
      await refreshCatalog(client);
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={STRINGS.rename} titled>
      <form
        className="flex flex-col gap-4 px-5 pt-2 pb-5"
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate();
        }}
      >
        <div className="flex flex-col gap-1.5">
          <label htmlFor={id} className="text-sm font-medium">
            {STRINGS.newName}
          </label>
          <Field id={id} value={name} maxLength={200} onChange={(event) => setName(event.target.value)} />
        </div>
        {rename.error && (
          <p role="alert" className="text-sm text-bad">
            {asApiError(rename.error).message}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{STRINGS.cancel}</Button>
          <Button type="submit" variant="primary" disabled={!name.trim() || rename.isPending}>
            {STRINGS.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
