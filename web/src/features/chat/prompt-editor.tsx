/** A question that is being edited where it stands. What is typed is kept as drafts are, until it is sent or given up. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { Paperclip } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { uploadAttachment } from "@/api/attachments";
import { asApiError } from "@/api/problem";
import { aboutQuery } from "@/api/queries";
import { Attached } from "@/features/arena/attachments/lazy-parts";
import { textName } from "@/features/arena/attachments/pasted-text";
import type { Stored } from "@/features/arena/attachments/uploads";
import { useComposer } from "@/features/arena/composer-store";
import { cn } from "@/lib/cn";
import { lengthNear } from "@/lib/code-points";
import { formatCount } from "@/lib/format";
import { showToast } from "@/lib/toast-store";
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
  const kept = useComposer(({ drafts }) => drafts[draftOf(turnId)]);
  // An empty draft is none, yet whoever deletes all of the question goes on from nothing.
  const [emptied, setEmptied] = useState(false);
  const draft = emptied ? "" : (kept ?? text);
  const setDraft = (typed: string) => {
    setEmptied(typed === "");
    useComposer.getState().setDraft(draftOf(turnId), typed);
  };
  const onCancel = () => {
    forgetEdit(turnId);
    onClose();
  };
  const field = useRef<HTMLTextAreaElement>(null);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const [added, setAdded] = useState<readonly Stored[]>([]);
  const attached = [...files, ...added].filter(({ sha256 }) => !removed.includes(sha256));
  const { data: about } = useQuery(aboutQuery);
  const limit = about?.max_prompt_chars ?? 30_000;
  const over = lengthNear(limit, draft) - limit;
  const attach = useMutation({
    mutationFn: (written: string) => {
      const file = new File([written], textName(attached.map(({ name }) => name)), { type: "text/plain" });
      return uploadAttachment(file, () => undefined, new AbortController().signal);
    },
    onSuccess: (stored, written) => {
      setAdded([...added, stored]);
      // What was typed meanwhile stays.
      const now = useComposer.getState().drafts[draftOf(turnId)] ?? "";
      setDraft(now.startsWith(written) ? now.slice(written.length).trimStart() : now);
      field.current?.focus();
    },
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
  });
  const remove = (sha256: string) => {
    setRemoved([...removed, sha256]);
    field.current?.focus();
  };
  const changed = draft.trim() !== text || removed.length > 0 || added.length > 0;
  const ready = !sending && !attach.isPending && draft.trim() !== "" && over <= 0 && changed;
  const send = () => ready && onSend(draft.trim(), attached);
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
      {attached[0] && <Attached files={attached} onRemove={remove} />}
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
        <p className={cn("min-w-0 flex-1 px-1.5 text-xs", over > 0 ? "text-bad" : "text-ink-3")}>
          {over > 0
            ? `${formatCount(over)} characters over the limit of ${formatCount(limit)}`
            : "Asks again from here. The conversation so far stays as another branch."}
        </p>
        {over > 0 && attached.length < (about?.max_attachments ?? 0) && (
          <Button size="sm" disabled={attach.isPending} onClick={() => attach.mutate(draft)}>
            <Paperclip aria-hidden="true" />
            Attach as file
          </Button>
        )}
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
