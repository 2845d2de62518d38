/** Divides rows at random into training, validation and hold-out. */

import { useState } from "react";
import { answerOf, api } from "@/api/client";
import { type Dataset, useChangeDataset } from "@/features/lab/lab-api";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Labelled } from "@/ui/labelled";

const PARTS = [
  { name: "train", label: "Training %" },
  { name: "validation", label: "Validation %" },
  { name: "holdout", label: "Hold-out %" },
] as const;

export function SplitDialog({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) {
  const [shares, setShares] = useState({ train: 50, validation: 30, holdout: 20 });
  const total = shares.train + shares.validation + shares.holdout;
  const split = useChangeDataset(() =>
    answerOf(
      api.POST("/api/lab/datasets/{dataset_id}/split", {
        params: { path: { dataset_id: dataset.id } },
        body: {
          train: shares.train / 100,
          validation: shares.validation / 100,
          holdout: shares.holdout / 100,
          seed: 1,
        },
      }),
    ),
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Split ${dataset.name}`}
      titled
      className="max-w-md"
    >
      <form
        className="flex flex-col gap-4 p-5 pt-3"
        onSubmit={(event) => {
          event.preventDefault();
          split.mutate(undefined, { onSuccess: onClose });
        }}
      >
        <div className="grid grid-cols-3 gap-3">
          {PARTS.map(({ name, label }) => (
            <Labelled key={name} label={label}>
              {(id) => (
                <Field
                  id={id}
                  type="number"
                  min={0}
                  max={100}
                  value={shares[name]}
                  onChange={({ target }) => setShares({ ...shares, [name]: Number(target.value) })}
                />
              )}
            </Labelled>
          ))}
        </div>
        <p className="text-xs text-ink-3">
          {total === 100
            ? "Rows are divided at random, and the same way each time. Tune on training and validation, then judge once on hold-out."
            : `The shares add up to ${total}%. They must add up to 100%.`}
        </p>
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabled={total !== 100 || split.isPending}>
            Split rows
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
