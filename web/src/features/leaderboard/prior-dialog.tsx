/** Starts the leaderboard from published results: which file, what it weighs, and which models its names mean. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "@/api/problem";
import { type PublicPrior, publicPriorQuery, removePublicPrior, setPublicPrior } from "@/api/public-prior";
import { standingsKey } from "@/api/standings";
import { isComplete, type Named, type NamedModel, PriorNames } from "@/features/leaderboard/prior-names";
import { formatCount } from "@/lib/format";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Labelled } from "@/ui/labelled";

const priorUsable = (usable: string, published: string, models: string) =>
  `Saved. ${usable} of ${published} published votes are between ${models} of your models.`;

const priorUnmatched = (names: string) =>
  `Names that match none of your models: ${names}. To use their votes, choose a model for each and save again.`;

const FIRST_WEIGHT = 100;

interface PriorDialogProps {
  /** The models that the table ranks. */
  ranked: readonly Named[];
  onClose: () => void;
}

export function PriorDialog({ ranked, onClose }: PriorDialogProps) {
  const { data: current, error } = useQuery(publicPriorQuery);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Public prior"
      titled
      className="flex flex-col overflow-y-auto"
    >
      {current !== undefined ? (
        <PriorForm current={current} ranked={ranked} onClose={onClose} />
      ) : (
        <div className="px-5 pt-2 pb-5">
          <Failed error={error} />
        </div>
      )}
    </Dialog>
  );
}

function PriorForm({ current, ranked, onClose }: PriorDialogProps & { current: PublicPrior | null }) {
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [weight, setWeight] = useState(String(current?.weight ?? FIRST_WEIGHT));
  const [source, setSource] = useState(current?.source ?? "");
  const [names, setNames] = useState<readonly NamedModel[]>([]);
  const [sure, setSure] = useState(false);
  const set = useMutation({
    mutationFn: (chosen: File) =>
      setPublicPrior(chosen, {
        weight: Number(weight),
        source: source.trim(),
        map: names.filter(isComplete).map(({ name, model }) => `${name.trim()}=${model}`),
      }),
    onSuccess: (prior) => {
      client.invalidateQueries({ queryKey: standingsKey });
      showToast("Public prior saved");
      if (!prior?.unmatched_names) return onClose();
      const fresh = prior.unmatched.map(({ name }) => ({ name, model: "", given: true }));
      setNames((before) => [...before.filter(isComplete), ...fresh]);
    },
  });
  const removal = useMutation({
    mutationFn: removePublicPrior,
    onSuccess: () => {
      client.invalidateQueries({ queryKey: standingsKey });
      showToast("Public prior removed");
      onClose();
    },
  });
  const choose = (chosen: File | null) => {
    setFile(chosen);
    setNames((before) => before.filter(({ given }) => !given));
  };
  const saved = set.data ?? null;
  const busy = set.isPending || removal.isPending;
  return (
    <form
      className="flex flex-col gap-4 px-5 pt-2 pb-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (file) set.mutate(file);
      }}
    >
      <p className="text-sm text-ink-2">
        The overall table starts from the results in a file. Your own votes outweigh them over time, and
        Parley tests on your votes whether the prior helps.
      </p>
      {current && !file && (
        <p className="text-sm text-ink-2">
          Now from {current.source}. To change its weight or what its names mean, choose the file again.
        </p>
      )}
      <Labelled
        label="File of results"
        hint="CSV, JSON Lines or Parquet, with the columns model_a, model_b, wins_a, wins_b and ties, or with votes in LMArena’s columns."
      >
        {(id, hint) => (
          <input
            id={id}
            type="file"
            required
            accept=".csv,.tsv,.txt,.jsonl,.ndjson,.parquet"
            aria-describedby={hint}
            className="focus-inset rounded-sm border border-line bg-page text-sm text-ink-2 file:mr-3 file:h-8 touch:file:h-11 file:cursor-pointer file:border-0 file:border-r file:border-line file:bg-button file:px-3 file:text-ink"
            onChange={({ target }) => choose(target.files?.[0] ?? null)}
          />
        )}
      </Labelled>
      <div className="grid gap-4 sm:grid-cols-2">
        <Labelled label="Weight, in votes" hint="All results together count as this many votes.">
          {(id, hint) => (
            <Field
              id={id}
              type="number"
              inputMode="decimal"
              required
              min={0.001}
              max={1e12}
              step="any"
              aria-describedby={hint}
              value={weight}
              onChange={({ target }) => setWeight(target.value)}
            />
          )}
        </Labelled>
        <Labelled label="Source">
          {(id) => (
            <Field
              id={id}
              maxLength={200}
              placeholder={file?.name ?? "LMArena, May 2026"}
              value={source}
              onChange={({ target }) => setSource(target.value)}
            />
          )}
        </Labelled>
      </div>
      {saved && (
        <p role="status" className="num text-sm">
          {priorUsable(
            formatCount(Math.round(saved.usable)),
            formatCount(Math.round(saved.published)),
            formatCount(saved.matched.length),
          )}{" "}
          {saved.unmatched_names > 0 && priorUnmatched(formatCount(saved.unmatched_names))}
        </p>
      )}
      <PriorNames names={names} ranked={ranked} onChange={setNames} />
      <Failed error={set.error ?? removal.error} />
      <div className="flex flex-wrap justify-end gap-2">
        {current && (
          <Button
            className="mr-auto"
            disabled={busy}
            onClick={() => (sure ? removal.mutate() : setSure(true))}
          >
            {sure ? "Confirm removal" : "Remove prior"}
          </Button>
        )}
        <Button onClick={onClose}>{saved ? "Done" : "Cancel"}</Button>
        <Button type="submit" variant="primary" disabled={!file || busy}>
          {set.isPending ? "Reading…" : current ? "Save" : "Set prior"}
        </Button>
      </div>
    </form>
  );
}

function Failed({ error }: { error: Error | null }) {
  const problem = error && asApiError(error);
  return (
    problem && (
      <p role="alert" className="text-sm text-bad [overflow-wrap:anywhere]">
        {problem.message} {problem.detail}
      </p>
    )
  );
}
