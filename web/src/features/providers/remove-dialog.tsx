/** Asks before something is removed from the catalog. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { asApiError } from "@/api/problem";
import { refreshCatalog } from "@/api/providers";
import { STRINGS } from "@/features/providers/strings";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";

interface RemoveDialogProps {
  title: string;
  text: string;
  name: string;
  remove: () => Promise<unknown>;
  onClose: () => void;
}

export function RemoveDialog({ title, text, name, remove, onClose }: RemoveDialogProps) {
  const client = useQueryClient();
  const removal = useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      await refreshCatalog(client);
      showToast(STRINGS.removed(name));
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} titled>
      <div className="flex flex-col gap-4 px-5 pt-2 pb-5">
        <p className="text-sm text-ink-2">{text}</p>
        {removal.error && (
          <p role="alert" className="text-sm text-bad">
            {asApiError(removal.error).message} {asApiError(removal.error).detail}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{STRINGS.cancel}</Button>
          <Button variant="primary" disabled={removal.isPending} onClick={() => removal.mutate()}>
            {STRINGS.remove}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
