/** What would come of a promptfoo config: prompts, rows, checks, and what is not taken. */

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { asApiError } from "@/api/problem";
import { modelsQuery } from "@/api/queries";
import { type Chosen, importConfig, type Preview, previewQuery } from "@/features/lab/promptfoo-api";
import { datasetsQuery } from "@/features/prompts/datasets-api";
import { promptsQuery, showProblem } from "@/features/prompts/prompts-api";
import { counted } from "@/lib/format";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Labelled } from "@/ui/labelled";
import { Select } from "@/ui/select";
import { Skeleton } from "@/ui/skeleton";

const NEEDS_JUDGE = "needs a judge";

interface PromptfooDialogProps {
  chosen: Chosen;
  onAdd: () => void;
  onClose: () => void;
}

export function PromptfooDialog({ chosen, onAdd, onClose }: PromptfooDialogProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [judge, setJudge] = useState("");
  const rest = { ...(name.trim() && { name: name.trim() }), ...(judge && { judge }) };
  const { data, error, isFetching } = useQuery({
    ...previewQuery(chosen, rest),
    placeholderData: keepPreviousData,
  });
  const { data: models = [] } = useQuery(modelsQuery);
  const take = useMutation({
    mutationFn: importConfig,
    onSuccess: (made) => {
      client.invalidateQueries({ queryKey: promptsQuery.queryKey });
      client.invalidateQueries({ queryKey: ["prompt", made.prompt_id] });
      client.invalidateQueries({ queryKey: datasetsQuery.queryKey });
      client.invalidateQueries({ queryKey: ["lab", "dataset", made.dataset_id] });
      navigate({ to: "/lab", search: { prompt: made.prompt_id, data: made.dataset_id, tab: "runs" } });
      showToast(`Imported “${made.prompt}”.`);
      onClose();
    },
    onError: showProblem,
  });
  const judged = judge !== "" || data?.preview.not_taken.some(({ text }) => text.includes(NEEDS_JUDGE));
  const ready = data && !error && !isFetching && data.preview.prompts.length > 0;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`Import ${chosen.file}`} titled>
      <form
        className="flex max-h-[64vh] flex-col gap-4 overflow-y-auto p-5 pt-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) take.mutate({ text: chosen.text, file: chosen.file, files: data.files, ...rest });
        }}
      >
        {error ? (
          <p role="alert" className="text-sm text-bad">
            {asApiError(error).message} {asApiError(error).detail}
          </p>
        ) : data ? (
          <Summary preview={data.preview} onAdd={onAdd} />
        ) : (
          <Skeleton className="h-32 rounded-md" />
        )}
        {data && !error && (
          <Labelled label="Name of the prompt and its data">
            {(id) => (
              <Field
                id={id}
                maxLength={80}
                placeholder={data.preview.name}
                value={name}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Labelled>
        )}
        {judged && (
          <Labelled label="Judge" hint="The model that scores answers by the file’s llm-rubrics.">
            {(id) => (
              <Select
                id={id}
                value={judge}
                options={[
                  { value: "", label: "None: rubrics are not imported" },
                  ...models.map((model) => ({ value: model.id, label: model.name })),
                ]}
                onChange={setJudge}
              />
            )}
          </Labelled>
        )}
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabled={!ready || take.isPending}>
            Import
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Summary({ preview, onAdd }: { preview: Preview; onAdd: () => void }) {
  const { prompts, rows, checks, models, not_taken: left, missing } = preview;
  const checkWords = `${checks.length} ${checks.length === 1 ? "check" : "checks"}`;
  const kinds = [...new Set(checks)].join(", ");
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p role="status" className="text-base font-semibold">
        {counted(prompts.length, "prompt")}, {counted(rows, "row")}, {checkWords}
      </p>
      <ul className="flex flex-col gap-1 text-ink-2">
        {prompts.map(({ label, version, is_new }) => (
          <li key={version} className="flex gap-2.5">
            <span className="num w-8 shrink-0 text-ink-3">v{version}</span>
            <span className="min-w-0 truncate">{label}</span>
            {!is_new && <span className="shrink-0 text-ink-3">is there already</span>}
          </li>
        ))}
      </ul>
      {kinds && <p className="text-ink-2">Checks: {kinds}</p>}
      {models.length > 0 && (
        <p className="text-ink-3">Its models ({models.join(", ")}) are not used: choose yours for the run.</p>
      )}
      {known(preview) && <p className="text-ink-2">{known(preview)}</p>}
      {missing.length > 0 && (
        <div className="flex items-center gap-3 rounded-md border border-line px-3 py-2">
          <span className="min-w-0 flex-1">Missing: {missing.join(", ")}</span>
          <Button size="sm" onClick={onAdd}>
            Add files
          </Button>
        </div>
      )}
      {left.length > 0 && (
        <section aria-label="Not taken">
          <h3 className="flex items-center gap-1.5 pb-1 font-medium">
            <TriangleAlert aria-hidden="true" className="size-3.5 text-ink-3" />
            Not taken
          </h3>
          <ul tabIndex={0} className="focus-inset max-h-40 overflow-y-auto rounded-sm text-ink-2">
            {left.map(({ file, line, text, count }) => (
              <li key={`${file}${line}${text}`} className="flex gap-2.5 py-0.5">
                <span className="num shrink-0 text-xs leading-5 text-ink-3">
                  {file}:{line}
                </span>
                <span>
                  {text}
                  {count > 1 && `, ${counted(count, "time")}`}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** What happens to a prompt and data that have this name already. */
function known({ name, prompt_exists, checks_replaced, data_exists, rows_changed }: Preview): string {
  const parts: string[] = [];
  if (prompt_exists) parts.push(`“${name}” is there already and gets what is new.`);
  if (checks_replaced > 0)
    parts.push(
      `${checks_replaced === 1 ? "One check" : `${checks_replaced} checks`} of it will be replaced.`,
    );
  if (data_exists)
    parts.push(
      rows_changed ? "Its data gets a new version with these rows." : "Its data has these rows already.",
    );
  return parts.join(" ");
}
