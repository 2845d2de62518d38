/** Adds the question of a turn to a data set, under a variable of its rows. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { answerOf, api } from "@/api/client";
import { columnsQuery, datasetsQuery } from "@/features/prompts/datasets-api";
import { showProblem } from "@/features/prompts/prompts-api";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Labelled } from "@/ui/labelled";
import { Select } from "@/ui/select";

const NEW = "";
const USUAL = "question";

interface AddQuestionProps {
  turn: string;
  onClose: () => void;
}

interface Place {
  dataset: string;
  name: string;
  variable: string;
}

export function AddQuestion({ turn, onClose }: AddQuestionProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: sets } = useQuery(datasetsQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState("");
  const [typed, setTyped] = useState<string | null>(null);
  const dataset = chosen ?? sets?.[0]?.id ?? NEW;
  const { data: known = [] } = useQuery({ ...columnsQuery(dataset), enabled: dataset !== NEW });
  const columns = dataset === NEW ? [] : known;
  const variable = typed ?? columns[0] ?? USUAL;
  const add = useMutation({
    mutationFn: (place: Place) => addTurn(turn, place),
    onSuccess: ({ dataset: { id, name: title } }) => {
      const run = () => navigate({ to: "/lab", search: { data: id } });
      showToast(`Question added to “${title}”.`, { action: { label: "Open", run } });
      onClose();
    },
    onError: showProblem,
    // A data set that was made for it is there, even where the question is not.
    onSettled: () => client.invalidateQueries({ queryKey: ["lab"] }),
  });
  const ready = variable.trim() !== "" && (dataset !== NEW || name.trim() !== "") && sets !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) add.mutate({ dataset, name: name.trim(), variable: variable.trim() });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Add question to a data set"
      titled
      className="max-w-sm"
    >
      <form onSubmit={submit} className="flex flex-col gap-4 p-5 pt-3">
        <Labelled label="Data set">
          {(id) => (
            <Select
              id={id}
              value={dataset}
              options={[
                ...(sets ?? []).map((each) => ({ value: each.id, label: `${each.name} (${each.rows})` })),
                { value: NEW, label: "New data set" },
              ]}
              onChange={(value) => {
                setChosen(value);
                setTyped(null);
              }}
            />
          )}
        </Labelled>
        {dataset === NEW && (
          <Labelled label="Name">
            {(id) => (
              <Field id={id} maxLength={80} value={name} onChange={({ target }) => setName(target.value)} />
            )}
          </Labelled>
        )}
        <Labelled label="Variable" hint="The question becomes its value in a new row.">
          {(id) =>
            columns.length > 0 ? (
              <Select
                id={id}
                value={variable}
                options={columns.map((column) => ({ value: column, label: column }))}
                onChange={setTyped}
              />
            ) : (
              <Field
                id={id}
                maxLength={60}
                value={variable}
                onChange={({ target }) => setTyped(target.value)}
              />
            )
          }
        </Labelled>
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabled={!ready || add.isPending}>
            Add question
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

async function addTurn(turn: string, { dataset, name, variable }: Place) {
  const made =
    dataset === NEW ? await answerOf(api.POST("/api/lab/datasets", { body: { name, rows: [] } })) : null;
  return answerOf(
    api.POST("/api/lab/datasets/{dataset_id}/turns", {
      params: { path: { dataset_id: made?.dataset.id ?? dataset } },
      body: { turn_id: turn, variable, split: "validation" },
    }),
  );
}
