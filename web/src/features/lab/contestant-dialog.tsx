/** Lets a version with a model take part in blind battles, where it is drawn and rated like any model. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, api } from "@/api/client";
import { modelsQuery } from "@/api/queries";
import type { PromptDetail } from "@/features/lab/lab-api";
import { presetsQuery } from "@/features/lineup/presets-api";
import { showProblem } from "@/features/prompts/prompts-api";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Labelled } from "@/ui/labelled";
import { Select } from "@/ui/select";

interface ContestantDialogProps {
  prompt: PromptDetail["prompt"];
  version: number;
  onClose: () => void;
}

export function ContestantDialog({ prompt, version, onClose }: ContestantDialogProps) {
  const client = useQueryClient();
  const { data: models = [] } = useQuery(modelsQuery);
  const usable = models.filter(({ kind, enabled }) => kind === "single" && enabled);
  const [model, setModel] = useState<string | null>(null);
  const chosen = model ?? usable.find(({ id }) => id === prompt.model)?.id ?? usable[0]?.id ?? "";
  const add = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST("/api/prompts/{prompt_id}/contestants", {
          params: { path: { prompt_id: prompt.id } },
          body: { version, model: chosen },
        }),
      ),
    onSuccess: ({ name }) => {
      for (const { queryKey } of [presetsQuery("chat"), modelsQuery]) client.invalidateQueries({ queryKey });
      showToast(`${name} takes part in blind battles.`);
      onClose();
    },
    onError: showProblem,
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Add v${version} to battles`}
      titled
      className="max-w-md"
    >
      <form
        className="flex flex-col gap-4 p-5 pt-3"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        <p className="text-xs text-ink-3">
          The version with a model becomes a preset that is drawn for blind battles and has a place on the
          leaderboard. The question takes the first text variable; the others need default values. To take it
          out again, open the presets of a chat.
        </p>
        <Labelled label="Model that answers">
          {(id) => (
            <Select
              id={id}
              value={chosen}
              options={usable.map(({ id: value, name }) => ({ value, label: name }))}
              onChange={setModel}
            />
          )}
        </Labelled>
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabled={!chosen || add.isPending}>
            Add to battles
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
