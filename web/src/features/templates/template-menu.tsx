/** Prompt templates: insert one, save the draft as one, edit, delete. */

import { useQuery } from "@tanstack/react-query";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { type FormEvent, useId } from "react";
import { create } from "zustand";
import { STRINGS } from "@/features/templates/strings";
import {
  type Template,
  type TemplateText,
  templatesQuery,
  useTemplateActions,
} from "@/features/templates/templates-api";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { IconButton } from "@/ui/icon-button";
import { Skeleton } from "@/ui/skeleton";

const LONGEST_NAME = 80;
const LONGEST_TEXT = 30_000;

interface Edited extends TemplateText {
  /** The template that is changed; none for a new one. */
  id?: string;
}

/** What is being written stays when the menu closes by a click beside it. */
const useEdited = create<{ edited: Edited | null }>()(() => ({ edited: null }));
const setEdited = (edited: Edited | null) => useEdited.setState({ edited });

interface TemplateMenuProps {
  draft: string;
  onChoose: (text: string) => void;
}

export function TemplateMenu({ draft, onChoose }: TemplateMenuProps) {
  const { data: templates, isPending } = useQuery(templatesQuery);
  const { save, remove } = useTemplateActions();
  const { edited } = useEdited();
  if (edited)
    return (
      <TemplateForm
        written={edited}
        pending={save.isPending}
        onCancel={() => setEdited(null)}
        onSave={() => save.mutate(edited, { onSuccess: () => setEdited(null) })}
      />
    );
  return (
    <div className="flex flex-col text-sm">
      <h2 className="px-4 pt-3.5 pb-1 font-semibold">{STRINGS.templates}</h2>
      {isPending && <Skeleton className="mx-4 my-2 h-10" />}
      <p className="px-4 pb-2 text-xs text-ink-3">{templates?.length === 0 ? STRINGS.none : STRINGS.hint}</p>
      <ul className="max-h-72 overflow-y-auto px-2 pb-1">
        {templates?.map((template) => (
          <Row
            key={template.id}
            template={template}
            onChoose={() => onChoose(template.text)}
            onEdit={() => setEdited(template)}
            onRemove={() => remove.mutate(template)}
          />
        ))}
      </ul>
      <div className="border-t border-line p-3">
        <Button size="sm" onClick={() => setEdited({ name: "", text: draft.startsWith("/") ? "" : draft })}>
          <Plus aria-hidden="true" />
          {draft.trim() && !draft.startsWith("/") ? STRINGS.saveDraft : STRINGS.newTemplate}
        </Button>
      </div>
    </div>
  );
}

interface RowProps {
  template: Template;
  onChoose: () => void;
  onEdit: () => void;
  onRemove: () => void;
}

function Row({ template: { name, text }, onChoose, onEdit, onRemove }: RowProps) {
  return (
    <li className="flex items-center rounded-md hover:bg-raised">
      <button
        type="button"
        aria-label={STRINGS.insert(name)}
        onClick={onChoose}
        className="min-w-0 flex-1 touch:min-h-11 rounded-md px-2 py-1.5 text-left"
      >
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-xs text-ink-3">{text}</span>
      </button>
      <IconButton size="icon-sm" label={STRINGS.edit(name)} onClick={onEdit}>
        <Pencil />
      </IconButton>
      <IconButton size="icon-sm" label={STRINGS.remove(name)} onClick={onRemove}>
        <Trash2 />
      </IconButton>
    </li>
  );
}

interface TemplateFormProps {
  written: Edited;
  pending: boolean;
  onSave: () => void;
  onCancel: () => void;
}

function TemplateForm({ written, pending, onSave, onCancel }: TemplateFormProps) {
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
        {STRINGS.name}
      </label>
      {/* Whoever opened the form types the name first. */}
      <Field
        id={`${id}-name`}
        autoFocus
        maxLength={LONGEST_NAME}
        value={name}
        onChange={({ target }) => setEdited({ ...written, name: target.value })}
      />
      <label htmlFor={`${id}-text`} className="font-medium">
        {STRINGS.prompt}
      </label>
      <textarea
        id={`${id}-text`}
        rows={6}
        maxLength={LONGEST_TEXT}
        value={text}
        onChange={({ target }) => setEdited({ ...written, text: target.value })}
        className="focus-inset resize-y rounded-sm border border-line bg-page px-2.5 py-1.5 hover:border-line-strong"
      />
      <div className="flex justify-end gap-2">
        <Button size="sm" variant="quiet" onClick={onCancel}>
          {STRINGS.cancel}
        </Button>
        <Button size="sm" variant="primary" type="submit" disabled={!ready}>
          {STRINGS.save}
        </Button>
      </div>
    </form>
  );
}
