/** The Prompt Lab: prompts and data on the left, one of them beside. */

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { asApiError } from "@/api/problem";
import { EmptyPage } from "@/components/empty-page";
import { PageHeader } from "@/components/page-header";
import { DataPage } from "@/features/lab/data-page";
import { EXAMPLE_DATA, EXAMPLE_PROMPT } from "@/features/lab/example";
import { createDataset, createPrompt, useChangePrompt } from "@/features/lab/lab-api";
import { LabList } from "@/features/lab/lab-list";
import { NameDialog } from "@/features/lab/name-dialog";
import { PromptPage } from "@/features/lab/prompt-page";
import { PromptfooImport } from "@/features/lab/promptfoo-import";
import { datasetsQuery } from "@/features/prompts/datasets-api";
import { promptsQuery } from "@/features/prompts/prompts-api";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";

const route = getRouteApi("/lab");

export function LabPage() {
  useTitle("Prompt Lab");
  const { prompt, data } = route.useSearch();
  const prompts = useQuery(promptsQuery);
  const datasets = useQuery(datasetsQuery);
  const shown = prompt ?? (data ? undefined : prompts.data?.[0]?.id);
  if (prompts.isError && !prompts.data) {
    const { message, detail } = asApiError(prompts.error);
    return (
      <EmptyPage title={message} text={detail ?? "Try again in a moment."}>
        <Button variant="primary" onClick={() => prompts.refetch()}>
          Try again
        </Button>
      </EmptyPage>
    );
  }
  const isEmpty = prompts.data?.length === 0 && datasets.data?.length === 0;
  return (
    <div className="flex min-h-0 flex-1">
      {!isEmpty && (
        <LabList prompts={prompts.data ?? []} datasets={datasets.data ?? []} prompt={shown} dataset={data} />
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        {isEmpty ? (
          <Welcome />
        ) : shown ? (
          <PromptPage key={shown} id={shown} />
        ) : data ? (
          <DataPage key={data} id={data} />
        ) : (
          <Welcome />
        )}
      </div>
    </div>
  );
}

function Welcome() {
  const navigate = route.useNavigate();
  const [naming, setNaming] = useState(false);
  const example = useChangePrompt(async () => {
    const { dataset } = await createDataset(EXAMPLE_DATA);
    const detail = await createPrompt(EXAMPLE_PROMPT);
    navigate({ search: { prompt: detail.prompt.id, data: dataset.id, tab: "runs" } });
    return detail;
  });
  const create = useChangePrompt(async (name: string) => {
    const detail = await createPrompt({ name, note: "", messages: [{ role: "user", text: "{{question}}" }] });
    navigate({ search: { prompt: detail.prompt.id } });
    return detail;
  });
  return (
    <>
      <PageHeader>
        <h1 className="text-base font-semibold">Prompt Lab</h1>
        <span className="flex-1" />
      </PageHeader>
      <div className="flex min-h-0 flex-1 items-center justify-center overflow-y-auto px-5 py-10">
        <div className="flex max-w-md flex-col items-center gap-3 text-center">
          <h2 className="text-lg font-semibold">Find the wording and the model that work best</h2>
          <p className="text-ink-2">
            Write a prompt with {"{{variables}}"}, add rows of data and checks, and run it on several models.
            You get scores with intervals, and every answer behind them.
          </p>
          <div className="flex flex-wrap justify-center gap-2 pt-2">
            <Button variant="primary" disabled={example.isPending} onClick={() => example.mutate()}>
              Start with an example
            </Button>
            <Button onClick={() => setNaming(true)}>New prompt</Button>
            <PromptfooImport />
          </div>
        </div>
      </div>
      {naming && (
        <NameDialog
          title="New prompt"
          action="Create prompt"
          pending={create.isPending}
          onName={(name) => create.mutate(name, { onSuccess: () => setNaming(false) })}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}
