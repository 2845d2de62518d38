/** One prompt: its draft, versions, data, checks, runs and searches for a better one. */

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Download, GitFork } from "lucide-react";
import { useState } from "react";
import { asApiError } from "@/api/problem";
import { EmptyPage } from "@/components/empty-page";
import { PageHeader } from "@/components/page-header";
import { ChecksTab } from "@/features/lab/checks-tab";
import { DataTab } from "@/features/lab/data-tab";
import { bodyOf, draftOf, sameDraft, useDrafts } from "@/features/lab/draft";
import { Editor } from "@/features/lab/editor";
import { improvementsQuery } from "@/features/lab/improve-api";
import { ImproveTab } from "@/features/lab/improve-tab";
import {
  addVersion,
  forkPrompt,
  type PromptDetail,
  promptQuery,
  runsQuery,
  useChangePrompt,
} from "@/features/lab/lab-api";
import { NO_CELL, TABS, type Tab } from "@/features/lab/lab-search";
import { NameDialog } from "@/features/lab/name-dialog";
import { RunsTab } from "@/features/lab/runs-tab";
import { VersionDialog } from "@/features/lab/version-dialog";
import { VersionsTab } from "@/features/lab/versions-tab";
import { cn } from "@/lib/cn";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

const route = getRouteApi("/lab");

export function PromptPage({ id }: { id: string }) {
  const { data, isError, error } = useQuery(promptQuery(id));
  if (isError && !data)
    return (
      <EmptyPage
        title={asApiError(error).message}
        text={asApiError(error).detail ?? "Choose another prompt."}
      >
        {null}
      </EmptyPage>
    );
  if (!data) return <Skeleton className="m-5 h-72 rounded-lg" />;
  return <Prompt detail={data} />;
}

function Prompt({ detail }: { detail: PromptDetail }) {
  const { prompt, versions } = detail;
  const { tab = "editor" } = route.useSearch();
  const navigate = route.useNavigate();
  const newest = versions[0];
  const stored = useDrafts(({ drafts }) => drafts[prompt.id]);
  const { data: runs } = useQuery(runsQuery(prompt.id));
  const { data: improvements } = useQuery(improvementsQuery(prompt.id));
  if (!newest) return null;
  const draft = stored ?? draftOf(newest);
  const changed = !sameDraft(draft, draftOf(newest));
  const counts: Partial<Record<Tab, number | undefined>> = {
    versions: versions.length,
    checks: prompt.checks.length,
    runs: runs?.length,
    improve: improvements?.length,
  };
  return (
    <>
      <PageHeader>
        <h1 className="min-w-0 truncate text-base font-semibold">{prompt.name}</h1>
        <span className="rounded-sm border border-line px-1.5 text-xs text-ink-2">
          {changed ? `draft of v${prompt.newest + 1}` : `v${prompt.newest}`}
        </span>
        <span className="flex-1" />
        <Actions detail={detail} changed={changed} />
      </PageHeader>
      <div
        role="tablist"
        aria-label="Prompt"
        className="flex gap-5 overflow-x-auto border-b border-line px-5"
      >
        {TABS.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            aria-selected={tab === each}
            onClick={() =>
              navigate({
                search: (now) =>
                  ({
                    ...now,
                    prompt: prompt.id,
                    tab: each === "editor" ? undefined : each,
                    run: undefined,
                    improvement: undefined,
                    ...NO_CELL,
                  }) as never,
              })
            }
            className={cn(
              "-mb-px h-10 touch:h-11 shrink-0 border-b-2 text-sm",
              tab === each
                ? "border-ink font-medium text-ink"
                : "border-transparent text-ink-2 hover:text-ink",
            )}
          >
            {LABELS[each]} {counts[each] ? <span className="num text-ink-3">{counts[each]}</span> : null}
          </button>
        ))}
      </div>
      <div role="tabpanel" aria-label={LABELS[tab]} className="flex min-h-0 flex-1 max-lg:pb-14">
        {tab === "editor" && <Editor detail={detail} draft={draft} />}
        {tab === "versions" && <VersionsTab detail={detail} draft={changed ? draft : null} />}
        {tab === "data" && <DataTab prompt={prompt.id} draft={draft} />}
        {tab === "checks" && <ChecksTab detail={detail} />}
        {tab === "runs" && <RunsTab detail={detail} />}
        {tab === "improve" && <ImproveTab detail={detail} />}
      </div>
    </>
  );
}

const LABELS: Record<Tab, string> = {
  editor: "Editor",
  versions: "Versions",
  data: "Data",
  checks: "Checks",
  runs: "Runs",
  improve: "Improve",
};

function Actions({ detail: { prompt }, changed }: { detail: PromptDetail; changed: boolean }) {
  const navigate = route.useNavigate();
  const [asking, setAsking] = useState<"save" | "fork" | null>(null);
  const draft = useDrafts(({ drafts }) => drafts[prompt.id]);
  const settle = useDrafts((store) => store.settle);
  const close = () => setAsking(null);
  const save = useChangePrompt(async (note: string) => {
    if (!draft) throw new Error("there is no draft");
    const saved = await addVersion(prompt.id, { ...bodyOf(draft), note });
    settle(prompt.id, draft);
    return saved;
  });
  const fork = useChangePrompt(async (name: string) => {
    const forked = await forkPrompt(prompt.id, name, prompt.newest);
    navigate({ search: { prompt: forked.prompt.id } });
    return forked;
  });
  return (
    <>
      <Button variant="quiet" className="max-sm:hidden" onClick={() => setAsking("fork")}>
        <GitFork aria-hidden="true" />
        Fork
      </Button>
      <Button variant="quiet" className="max-sm:hidden" asChild>
        <a href={`/api/prompts/${prompt.id}/markdown`} download={`${prompt.name}.md`}>
          <Download aria-hidden="true" />
          Markdown
        </a>
      </Button>
      {changed && (
        <Button variant="primary" onClick={() => setAsking("save")}>
          Save as v{prompt.newest + 1}
        </Button>
      )}
      {asking === "fork" && (
        <NameDialog
          title={`Fork ${prompt.name}`}
          action="Create fork"
          start={`${prompt.name} (fork)`}
          pending={fork.isPending}
          onName={(name) => fork.mutate(name, { onSuccess: close })}
          onClose={close}
        />
      )}
      {asking === "save" && (
        <VersionDialog
          title={`Save as v${prompt.newest + 1}`}
          pending={save.isPending}
          onSave={(note) =>
            save.mutate(note, {
              onSuccess: ({ prompt: saved }) => {
                close();
                showToast(`Saved as v${saved.newest}.`);
              },
            })
          }
          onClose={close}
        />
      )}
    </>
  );
}
