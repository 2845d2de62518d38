/** Prompts in the composer: insert one, save the draft as one, open one in the Prompt Lab. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FlaskConical, Plus } from "lucide-react";
import { type FormEvent, useId } from "react";
import { create } from "zustand";
import { type Prompt, promptsQuery, useSavePrompt } from "@/features/prompts/prompts-api";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Skeleton } from "@/ui/skeleton";
import { tooltip } from "@/ui/tooltip";

const LONGEST_NAME = 80;
const LONGEST_TEXT = 30_000;

interface Written {
  name: string;
  text: string;
}

/** What is being written stays when the menu closes by a click beside it. */
const useWritten = create<{ written: Written | null }>()(() => ({ written: null }));
const setWritten = (written: Written | null) => useWritten.setState({ written });
/** Forget what was saved, unless it was changed meanwhile. */
const settle = (saved: Written) => useWritten.getState().written === saved && setWritten(null);

interface PromptMenuProps {
  draft: string;
  onChoose: (text: string) => void;
}

export function PromptMenu({ draft, onChoose }: PromptMenuProps) {
  const { data: prompts, isPending } = useQuery(promptsQuery);
  const save = useSavePrompt();
  const { written } = useWritten();
  if (written)
    return (
      <PromptForm
        written={written}
        pending={save.isPending}
        onCancel={() => setWritten(null)}
        onSave={() => save.mutate(written, { onSuccess: () => settle(written) })}
      />
    );
  return (
    <div className="flex flex-col text-sm">
      <h2 className="px-4 pt-3.5 pb-1 font-semibold">Prompts</h2>
      {isPending && <Skeleton className="mx-4 my-2 h-10" />}
      <p className="px-4 pb-2 text-xs text-ink-3">
        {prompts?.length === 0
          ? "No prompts yet. Save one that you use often, then type / in the message to insert it."
          : "Type / in an empty message to insert one. {{words}} in braces are places to fill in."}
      </p>
      <ul className="max-h-72 overflow-y-auto px-2 pb-1">
        {prompts?.map((prompt) => (
          <Row key={prompt.id} prompt={prompt} onChoose={() => onChoose(prompt.text)} />
        ))}
      </ul>
      <div className="border-t border-line p-3">
        <Button size="sm" onClick={() => setWritten({ name: "", text: draft.startsWith("/") ? "" : draft })}>
          <Plus aria-hidden="true" />
          {draft.trim() && !draft.startsWith("/") ? "Save this prompt" : "New prompt"}
        </Button>
      </div>
    </div>
  );
}

function Row({ prompt: { id, name, text }, onChoose }: { prompt: Prompt; onChoose: () => void }) {
  return (
    <li className="flex items-center rounded-md hover:bg-raised">
      <button
        type="button"
        aria-label={`Insert “${name}”`}
        onClick={onChoose}
        className="min-w-0 flex-1 touch:min-h-11 rounded-md px-2 py-1.5 text-left"
      >
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-xs text-ink-3">{text}</span>
      </button>
      <Button variant="quiet" size="icon-sm" asChild>
        <Link
          to="/lab"
          search={{ prompt: id }}
          aria-label={`Open “${name}” in the Prompt Lab`}
          {...tooltip("Open in the Prompt Lab")}
        >
          <FlaskConical />
        </Link>
      </Button>
    </li>
  );
}

interface PromptFormProps {
  written: Written;
  pending: boolean;
  onSave: () => void;
  onCancel: () => void;
}

function PromptForm({ written, pending, onSave, onCancel }: PromptFormProps) {
  const { name, text } = written;
  const id = useId();
  const ready = name.trim() !== "" && text.trim() !== "" && !pending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The composer is a form, too.
    event.stopPropagation();
    if (ready) onSave();
  };
  return (
    <form className="flex flex-col gap-3 p-4 text-sm" onSubmit={submit}>
      <label htmlFor={`${id}-name`} className="font-medium">
        Name
      </label>
      {/* Whoever opened the form types the name first. */}
      <Field
        id={`${id}-name`}
        autoFocus
        maxLength={LONGEST_NAME}
        value={name}
        onChange={({ target }) => setWritten({ ...written, name: target.value })}
      />
      <label htmlFor={`${id}-text`} className="font-medium">
        Prompt
      </label>
      <textarea
        id={`${id}-text`}
        rows={6}
        maxLength={LONGEST_TEXT}
        value={text}
        onChange={({ target }) => setWritten({ ...written, text: target.value })}
        className="focus-inset resize-y rounded-sm border border-line bg-page px-2.5 py-1.5 hover:border-line-strong"
      />
      <div className="flex justify-end gap-2">
        <Button size="sm" variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="sm" variant="primary" type="submit" disabled={!ready}>
          Save
        </Button>
      </div>
    </form>
  );
}
