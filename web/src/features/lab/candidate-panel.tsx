/** One candidate: its difference to the one that it was written from, and saving it as a version. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { nameOf } from "@/features/lab/candidate-tree";
import { textOf } from "@/features/lab/draft";
import {
  type Candidate,
  type Improvement,
  improvementQuery,
  saveCandidate,
} from "@/features/lab/improve-api";
import { useChangePrompt } from "@/features/lab/lab-api";
import { LineDiff } from "@/features/lab/line-diff";
import { VersionDialog } from "@/features/lab/version-dialog";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";

interface CandidatePanelProps {
  improvement: Improvement;
  candidate: Candidate;
  candidates: readonly Candidate[];
}

export function CandidatePanel({ improvement, candidate, candidates }: CandidatePanelProps) {
  const [saving, setSaving] = useState(false);
  const parent = candidates.find(({ number }) => number === candidate.parents[0]);
  const text = textOf(candidate);
  return (
    <section
      aria-label="Candidate"
      className="flex min-w-0 flex-1 flex-col gap-3 px-5 py-3 xl:overflow-y-auto"
    >
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="text-sm font-medium">
          {parent ? `${nameOf(parent)} → candidate ${candidate.number}` : nameOf(candidate)}
        </h3>
        <span className="num text-xs text-ink-3">
          {parent && `${(parent.score * 100).toFixed(1)} → `}
          {(candidate.score * 100).toFixed(1)} on the validation rows
        </span>
        <span className="flex-1" />
        {candidate.number > 0 &&
          (candidate.version === null ? (
            <Button
              variant={candidate.state === "best" ? "primary" : undefined}
              onClick={() => setSaving(true)}
            >
              Save as new version
            </Button>
          ) : (
            <span className="text-sm text-ink-2">Saved as v{candidate.version}</span>
          ))}
      </div>
      <LineDiff label="Difference" before={parent ? textOf(parent) : text} after={text} />
      {saving && (
        <SaveDialog improvement={improvement} candidate={candidate} onClose={() => setSaving(false)} />
      )}
    </section>
  );
}

interface SaveDialogProps {
  improvement: Improvement;
  candidate: Candidate;
  onClose: () => void;
}

function SaveDialog({ improvement: { id }, candidate, onClose }: SaveDialogProps) {
  const client = useQueryClient();
  const save = useChangePrompt((note: string) => saveCandidate(id, candidate.number, note));
  return (
    <VersionDialog
      title={`Save candidate ${candidate.number}`}
      hint="It becomes the newest version. Without a note, the result of the search is its note."
      pending={save.isPending}
      onSave={(note) =>
        save.mutate(note, {
          onSuccess: ({ prompt }) => {
            client.invalidateQueries({ queryKey: improvementQuery(id).queryKey });
            showToast(`Saved as v${prompt.newest}.`);
            onClose();
          },
        })
      }
      onClose={onClose}
    />
  );
}
