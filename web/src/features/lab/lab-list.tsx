/** The prompts and data sets; on a small screen two lists of the browser's own. */

import { getRouteApi, Link } from "@tanstack/react-router";
import { FileText, Plus, Sheet, Upload } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { answerOf, api } from "@/api/client";
import {
  createDataset,
  createPrompt,
  type Dataset,
  useChangeDataset,
  useChangePrompt,
} from "@/features/lab/lab-api";
import { NameDialog } from "@/features/lab/name-dialog";
import { PromptfooImport } from "@/features/lab/promptfoo-import";
import { SplitBar } from "@/features/lab/split-bar";
import type { Prompt } from "@/features/prompts/prompts-api";
import { cn } from "@/lib/cn";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";
import { Select } from "@/ui/select";

const route = getRouteApi("/lab");

interface LabListProps {
  prompts: readonly Prompt[];
  datasets: readonly Dataset[];
  prompt: string | undefined;
  dataset: string | undefined;
}

export function LabList({ prompts, datasets, prompt, dataset }: LabListProps) {
  const navigate = route.useNavigate();
  const [naming, setNaming] = useState<"prompt" | "data" | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const addPrompt = useChangePrompt(async (body: Parameters<typeof createPrompt>[0]) => {
    const detail = await createPrompt(body);
    navigate({ search: { prompt: detail.prompt.id } });
    return detail;
  });
  const importPrompt = useChangePrompt(async (markdown: string) => {
    const detail = await answerOf(api.POST("/api/prompts/import", { body: { markdown } }));
    navigate({ search: { prompt: detail.prompt.id } });
    return detail;
  });
  const addData = useChangeDataset(async (name: string) => {
    const detail = await createDataset({ name, rows: [] });
    navigate({ search: { data: detail.dataset.id } });
    return detail;
  });
  const done = { onSuccess: () => setNaming(null) };
  const onData = dataset !== undefined && prompt === undefined;
  return (
    <>
      <nav
        aria-label="Prompts and data"
        className="flex w-52 shrink-0 flex-col gap-4 overflow-y-auto border-r border-line px-2 py-3 max-lg:hidden"
      >
        <Group title="Prompts" label="New prompt" onAdd={() => setNaming("prompt")}>
          {prompts.map(({ id, name, newest }) => (
            <Item key={id} lit={id === prompt} search={{ prompt: id }} icon={<FileText />} name={name}>
              v{newest}
            </Item>
          ))}
        </Group>
        <Group title="Data" label="New data set" onAdd={() => setNaming("data")}>
          {datasets.map((each) => (
            <Item
              key={each.id}
              lit={onData && each.id === dataset}
              search={{ data: each.id }}
              icon={<Sheet />}
              name={each.name}
              below={<SplitBar splits={each.splits} />}
            >
              {each.rows}
            </Item>
          ))}
        </Group>
        <span className="flex-1" />
        <Button variant="quiet" size="sm" className="self-start" onClick={() => file.current?.click()}>
          <Upload aria-hidden="true" />
          Import Markdown
        </Button>
        <PromptfooImport variant="quiet" size="sm" className="self-start" />
      </nav>
      <input
        ref={file}
        type="file"
        accept=".md,.markdown,.txt"
        aria-label="Prompt as Markdown"
        className="hidden"
        onChange={async ({ target }) => {
          const text = await target.files?.[0]?.text();
          target.value = "";
          if (text) importPrompt.mutate(text);
        }}
      />
      {/* A small screen has no room for the list: the choice floats over the page's foot. */}
      <div className="fixed inset-x-0 bottom-0 z-10 flex gap-2 border-t border-line bg-surface px-3 py-2 lg:hidden">
        <Select
          aria-label="Prompt or data"
          className="flex-1"
          value={onData ? `d:${dataset}` : `p:${prompt ?? ""}`}
          options={[
            ...prompts.map(({ id, name }) => ({ value: `p:${id}`, label: name })),
            ...datasets.map(({ id, name }) => ({ value: `d:${id}`, label: `${name} (data)` })),
          ]}
          onChange={(value) =>
            navigate({
              search: value.startsWith("p:") ? { prompt: value.slice(2) } : { data: value.slice(2) },
            })
          }
        />
        <Button onClick={() => setNaming("prompt")}>
          <Plus aria-hidden="true" />
          Prompt
        </Button>
        <Button onClick={() => setNaming("data")}>
          <Plus aria-hidden="true" />
          Data
        </Button>
      </div>
      {naming === "prompt" && (
        <NameDialog
          title="New prompt"
          action="Create prompt"
          pending={addPrompt.isPending}
          onName={(name) =>
            addPrompt.mutate({ name, note: "", messages: [{ role: "user", text: "{{question}}" }] }, done)
          }
          onClose={() => setNaming(null)}
        />
      )}
      {naming === "data" && (
        <NameDialog
          title="New data set"
          action="Create data set"
          pending={addData.isPending}
          onName={(name) => addData.mutate(name, done)}
          onClose={() => setNaming(null)}
        />
      )}
    </>
  );
}

interface GroupProps {
  title: string;
  label: string;
  onAdd: () => void;
  children: ReactNode;
}

function Group({ title, label, onAdd, children }: GroupProps) {
  return (
    <section aria-label={title}>
      <div className="flex items-center justify-between pr-0.5 pl-2">
        <h2 className="text-xs font-medium text-ink-3">{title}</h2>
        <IconButton size="icon-sm" label={label} onClick={onAdd}>
          <Plus />
        </IconButton>
      </div>
      <ul className="flex flex-col gap-0.5">{children}</ul>
    </section>
  );
}

interface ItemProps {
  lit: boolean;
  search: { prompt: string } | { data: string };
  icon: ReactNode;
  name: string;
  below?: ReactNode;
  children: ReactNode;
}

function Item({ lit, search, icon, name, below, children }: ItemProps) {
  return (
    <li>
      <Link
        to="/lab"
        search={search}
        aria-current={lit ? "page" : undefined}
        className={cn(
          "block rounded-md px-2 py-1.5 text-sm text-ink-2 hover:bg-raised hover:text-ink",
          lit && "bg-raised text-ink",
        )}
      >
        <span className="flex items-center gap-2 [&_svg]:size-[15px] [&_svg]:shrink-0 [&_svg]:text-ink-3">
          {icon}
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <span className="num text-xs text-ink-3">{children}</span>
        </span>
        {below}
      </Link>
    </li>
  );
}
