/** Adds the questions that a model lost by one's own votes. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, api } from "@/api/client";
import { modelsQuery } from "@/api/queries";
import { type Dataset, useChangeDataset } from "@/features/lab/lab-api";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Labelled } from "@/ui/labelled";
import { Select } from "@/ui/select";

interface LostDialogProps {
  dataset: Dataset;
  /** The variables that may take the question. */
  variables: readonly string[];
  onClose: () => void;
}

export function LostDialog({ dataset, variables, onClose }: LostDialogProps) {
  const { data: models = [] } = useQuery(modelsQuery);
  const names = variables.length > 0 ? variables : ["question"];
  const [model, setModel] = useState<string | null>(null);
  const [variable, setVariable] = useState(names[0] ?? "question");
  const chosen = model ?? models[0]?.id ?? "";
  const add = useChangeDataset(() =>
    answerOf(
      api.POST("/api/lab/datasets/{dataset_id}/battles", {
        params: { path: { dataset_id: dataset.id } },
        body: { model: chosen, variable, split: "train" },
      }),
    ),
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Add lost battles"
      titled
      className="max-w-md"
    >
      <form
        className="flex flex-col gap-4 p-5 pt-3"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate(undefined, {
            onSuccess: ({ dataset: { rows } }) => {
              const added = rows - dataset.rows;
              showToast(`${added} ${added === 1 ? "row" : "rows"} added for training.`);
              onClose();
            },
          });
        }}
      >
        <p className="text-xs text-ink-3">
          Adds each question where your vote went against the model. The answer that you preferred becomes the
          expected one, and your reason a value.
        </p>
        <Labelled label="Model that lost">
          {(id) => (
            <Select
              id={id}
              value={chosen}
              options={models.map(({ id: value, name }) => ({ value, label: name }))}
              onChange={setModel}
            />
          )}
        </Labelled>
        <Labelled label="Variable for the question">
          {(id) => (
            <Select
              id={id}
              value={variable}
              options={names.map((value) => ({ value, label: value }))}
              onChange={setVariable}
            />
          )}
        </Labelled>
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabled={!chosen || add.isPending}>
            Add rows
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
