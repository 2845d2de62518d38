/** The versions of a prompt, and the difference of two. */

import { useQuery } from "@tanstack/react-query";
import { Swords } from "lucide-react";
import { useState } from "react";
import { RelativeTime } from "@/components/relative-time";
import { ContestantDialog } from "@/features/lab/contestant-dialog";
import { type Draft, draftOf, textOf } from "@/features/lab/draft";
import { moveLabel, type PromptDetail, restoreVersion, useChangePrompt } from "@/features/lab/lab-api";
import { LineDiff } from "@/features/lab/line-diff";
import { presetsQuery } from "@/features/lineup/presets-api";
import { cn } from "@/lib/cn";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Select } from "@/ui/select";

interface VersionsTabProps {
  detail: PromptDetail;
  /** What is not saved yet. */
  draft: Draft | null;
}

export function VersionsTab({ detail: { prompt, versions }, draft }: VersionsTabProps) {
  const [picked, setPicked] = useState<number | null>(null);
  const [base, setBase] = useState<number | null>(null);
  const restore = useChangePrompt((version: number) => restoreVersion(prompt.id, version));
  const promote = useChangePrompt((version: number) => moveLabel(prompt.id, "production", version));
  const { data: presets = [] } = useQuery(presetsQuery("chat"));
  const [competing, setCompeting] = useState(false);
  const inBattles = (sha256: string) =>
    presets.some(
      ({ contestant, brief }) =>
        contestant && (brief.prompt as { sha256?: string } | null)?.sha256 === sha256,
    );
  const shown = picked ?? (draft ? 0 : prompt.newest);
  const version = versions.find(({ number }) => number === shown);
  const usual = version ? (version.parent ?? null) : prompt.newest;
  const from = base ?? usual;
  const before = versions.find(({ number }) => number === from);
  const after = version ? draftOf(version) : draft;
  return (
    <div className="flex min-h-0 flex-1 max-md:flex-col max-md:overflow-y-auto">
      <ol
        aria-label="Versions"
        className="w-72 shrink-0 border-line md:overflow-y-auto md:border-r max-md:w-full"
      >
        {draft && (
          <Item
            lit={shown === 0}
            onClick={() => setPicked(0)}
            title="Draft"
            note="Not saved, and in no run yet"
          />
        )}
        {versions.map(({ number, note, created_at, sha256 }) => (
          <Item
            key={number}
            lit={shown === number}
            onClick={() => {
              setPicked(number);
              setBase(null);
            }}
            title={`v${number}`}
            note={note || "No note"}
            at={created_at}
            labels={[
              ...Object.entries(prompt.labels).flatMap(([label, to]) => (to === number ? [label] : [])),
              ...(inBattles(sha256) ? ["in battles"] : []),
            ]}
          />
        ))}
      </ol>
      <div className="flex min-w-0 flex-1 flex-col gap-3 px-5 py-4 md:overflow-y-auto">
        <div className="flex flex-wrap items-center gap-2">
          <Select
            aria-label="Compare with"
            value={String(from ?? "")}
            options={[
              { value: "", label: "nothing" },
              ...versions
                .filter(({ number }) => number !== shown)
                .map(({ number }) => ({ value: String(number), label: `v${number}` })),
            ]}
            onChange={(value) => setBase(value ? Number(value) : 0)}
          />
          <span className="text-sm font-medium">→ {version ? `v${version.number}` : "draft"}</span>
          {version && <code className="font-mono text-xs text-ink-3">{version.sha256.slice(0, 7)}</code>}
          <span className="flex-1" />
          {version && version.number !== prompt.newest && (
            <Button
              disabled={restore.isPending}
              onClick={() =>
                restore.mutate(version.number, {
                  onSuccess: ({ prompt: { newest } }) => {
                    setPicked(newest);
                    showToast(`v${version.number} restored as v${newest}.`);
                  },
                })
              }
            >
              Restore v{version.number}
            </Button>
          )}
          {version && (
            <Button onClick={() => setCompeting(true)}>
              <Swords aria-hidden="true" />
              Add to battles
            </Button>
          )}
          {version && prompt.labels.production !== version.number && (
            <Button
              disabled={promote.isPending}
              onClick={() =>
                promote.mutate(version.number, {
                  onSuccess: () => showToast(`production points to v${version.number}.`),
                })
              }
            >
              Move production to v{version.number}
            </Button>
          )}
        </div>
        {competing && version && (
          <ContestantDialog prompt={prompt} version={version.number} onClose={() => setCompeting(false)} />
        )}
        {after && (
          <LineDiff label="Difference" before={before ? textOf(draftOf(before)) : ""} after={textOf(after)} />
        )}
        <p className="text-xs text-ink-3">
          {prompt.labels.production
            ? `Composers and other programs use v${prompt.labels.production} (production).`
            : "Composers and other programs use the newest version until you set production."}{" "}
          {prompt.model && (
            <>
              Programs ask it as <code className="font-mono">prompt/{prompt.name}</code>.
            </>
          )}
        </p>
      </div>
    </div>
  );
}

interface ItemProps {
  lit: boolean;
  title: string;
  note: string;
  at?: string;
  labels?: string[];
  onClick: () => void;
}

function Item({ lit, title, note, at, labels = [], onClick }: ItemProps) {
  return (
    <li>
      <button
        type="button"
        aria-pressed={lit}
        onClick={onClick}
        className={cn(
          "block w-full border-b border-line px-5 py-2.5 text-left hover:bg-raised",
          lit && "bg-raised",
        )}
      >
        <span className="flex items-center gap-2 text-sm font-medium">
          {title}
          {labels.map((label) => (
            <span
              key={label}
              className="rounded-sm border border-good/60 px-1.5 text-xs font-normal text-good"
            >
              {label}
            </span>
          ))}
        </span>
        <span className="block truncate text-sm text-ink-2">{note}</span>
        {at && (
          <span className="text-xs text-ink-3">
            <RelativeTime at={at} />
          </span>
        )}
      </button>
    </li>
  );
}
