/** A question that is being edited where it stands. What is typed is kept as drafts are, until it is sent or given up. */

import { type KeyboardEvent, useRef, useState } from "react";
import { Attached } from "@/features/arena/attachments/lazy-parts";
import type { Stored } from "@/features/arena/attachments/uploads";
import { useComposer } from "@/features/arena/composer-store";
import { Button } from "@/ui/button";

const draftOf = (turnId: string) => `edit:${turnId}`;

export const isEdited = (turnId: string) => draftOf(turnId) in useComposer.getState().drafts;
export const forgetEdit = (turnId: string) => useComposer.getState().setDraft(draftOf(turnId), "");

interface PromptEditorProps {
  turnId: string;
  text: string;
  /** Sent again with the question, unless they are removed. */
  files: readonly Stored[];
  sending: boolean;
  onSend: (text: string, files: readonly Stored[]) => void;
  /** Leave the question as it is; what was typed is kept. */
  onClose: () => void;
}

export function PromptEditor({ turnId, text, files, sending, onSend, onClose }: PromptEditorProps) {
  const draft = useComposer(({ drafts }) => drafts[draftOf(turnId)] ?? text);
  const setDraft = (typed: string) => useComposer.getState().setDraft(draftOf(turnId), typed);
  const onCancel = () => {
    forgetEdit(turnId);
    onClose();
  };
  const field = useRef<HTMLTextAreaElement>(null);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const kept = files.filter(({ sha256 }) => !removed.includes(sha256));
  const remove = (sha256: string) => {
    setRemoved([...removed, sha256]);
    field.current?.focus();
  };
  const ready = !sending && draft.trim() !== "" && (draft.trim() !== text || removed.length > 0);
  const send = () => ready && onSend(draft.trim(), kept);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      onClose();
    }
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      aria-label="Edit question"
      className="ml-auto flex w-full max-w-[640px] flex-col gap-2 rounded-lg border border-line-strong bg-surface p-2.5 focus-within:border-ink-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {kept[0] && <Attached files={kept} onRemove={remove} />}
      <textarea
        ref={field}
        // Whoever chose to edit goes on typing.
        // biome-ignore lint/a11y/noAutofocus: see above
        autoFocus
        aria-label="Question"
        value={draft}
        rows={Math.min(12, Math.max(2, draft.split("\n").length))}
        onFocus={({ target }) => target.setSelectionRange(draft.length, draft.length)}
        onChange={({ target }) => setDraft(target.value)}
        onKeyDown={onKeyDown}
        className="w-full resize-y bg-transparent px-1.5 py-1 text-md leading-relaxed outline-none"
      />
      <div className="flex items-center justify-end gap-2">
        <p className="min-w-0 flex-1 px-1.5 text-xs text-ink-3">
          Asks again from here. The conversation so far stays as another branch.
        </p>
        <Button size="sm" variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="sm" variant="primary" type="submit" disabled={!ready}>
          Ask
        </Button>
      </div>
    </form>
  );
}
