/** Asks before something is removed from the catalog, and once more if presets would stop working. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { asApiError } from "@/api/problem";
import { dependentsIn, refreshCatalog } from "@/api/providers";
import { titled } from "@/lib/format";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";

interface RemoveDialogProps {
  title: string;
  text: string;
  name: string;
  /** Refused if presets need it, unless `force`. */
  remove: (force: boolean) => Promise<unknown>;
  onClose: () => void;
}

export function RemoveDialog({ title, text, name, remove, onClose }: RemoveDialogProps) {
  const client = useQueryClient();
  const removal = useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      await refreshCatalog(client);
      showToast(`${name} removed.`);
      onClose();
    },
  });
  const problem = removal.error && asApiError(removal.error);
  const dependents = dependentsIn(problem);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} titled>
      <div className="flex flex-col gap-4 px-5 pt-2 pb-5">
        <p className="text-sm text-ink-2">{text}</p>
        {problem && dependents.length === 0 && (
          <p role="alert" className="text-sm text-bad">
            {problem.message} {problem.detail}
          </p>
        )}
        {dependents.length > 0 && (
          <div role="alert" className="rounded-md border border-bad/40 px-3 py-2 text-sm">
            <p className="mb-1.5 font-medium">These would stop working:</p>
            <ul className="flex max-h-40 flex-col gap-0.5 overflow-y-auto [overflow-wrap:anywhere]">
              {dependents.map((each) => (
                <li key={each.id}>
                  {each.name} <span className="text-ink-3">{titled(each.mode)}</span>
                </li>
              ))}
            </ul>
            <p className="mt-1.5 text-ink-2">
              They stay saved and show what is missing. To use one again, choose another model in it.
            </p>
          </div>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={removal.isPending}
            onClick={() => removal.mutate(dependents.length > 0)}
          >
            {dependents.length > 0 ? "Remove anyway" : "Remove"}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
