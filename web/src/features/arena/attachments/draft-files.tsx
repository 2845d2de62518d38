/** The pictures and files of a draft, and what stands against sending them. */

import { EyeOff, TriangleAlert } from "lucide-react";
import { useEffect } from "react";
import { remove, settleUploads } from "@/features/arena/attachments/attaching";
import { FileChip } from "@/features/arena/attachments/file-chip";
import { LAZY_STRINGS } from "@/features/arena/attachments/lazy-strings";
import { isPicture, overfilled, unreadBy, unseenBy } from "@/features/arena/attachments/sight";
import { type Attaching, useComposer } from "@/features/arena/composer-store";
import type { Choosing, Plan } from "@/features/arena/mode-feature";
import { focusComposer } from "@/lib/focus-composer";
import { formatContext } from "@/lib/format";

export interface DraftFilesProps {
  place: string;
  situation: Choosing;
  plan: Plan;
  /** Why the question cannot be sent with its files, for the composer to say; null where it can. */
  onHold: (why: string | null) => void;
}

const NONE: Attaching[] = [];

export function DraftFiles({ place, situation, plan, onHold }: DraftFilesProps) {
  const files = useComposer((state) => state.attached[place]) ?? NONE;
  const fresh = files.some(({ stored }) => stored && isPicture(stored));
  const unread = unreadBy(situation, files.length);
  const unseen = unread ?? unseenBy(situation, plan, fresh);
  const tokens = files.reduce((sum, { stored }) => sum + (stored?.tokens ?? 0), 0);
  const full = overfilled(situation, plan, tokens);
  const asks = useComposer((state) => (state.drafts[place] ?? "").trim() !== "");
  const hold =
    holdOf(files) ??
    (unread && LAZY_STRINGS.filesNotSendable) ??
    (unseen && LAZY_STRINGS.notSendable) ??
    (files.length > 0 && !asks ? LAZY_STRINGS.addQuestion : null);
  const blinded = unseen?.models.join(" ") ?? "";

  useEffect(() => settleUploads(place), [place]);
  useEffect(() => {
    onHold(hold);
    useComposer.setState({ unseeing: blinded ? blinded.split(" ") : [] });
    return () => {
      onHold(null);
      useComposer.setState({ unseeing: [] });
    };
  }, [hold, blinded, onHold]);

  if (files.length === 0 && !unseen) return null;
  return (
    // On a phone, a composer that holds files is one in use.
    <div data-state="open" className="flex flex-col gap-1.5 px-2.5 pt-1 pb-2">
      <ul
        aria-label={LAZY_STRINGS.attachments}
        className="flex max-h-[22vh] flex-wrap gap-1.5 overflow-y-auto"
      >
        {files.map((file) => (
          <FileChip
            key={file.key}
            file={file}
            onRemove={() => {
              remove(place, file.key);
              focusComposer();
            }}
          />
        ))}
      </ul>
      {unseen && (
        <p role="alert" className="flex items-start gap-1.5 text-xs text-bad">
          <EyeOff aria-hidden="true" className="mt-px size-3.5 shrink-0" />
          <span>
            {unseen.why}. {unseen.hint}
          </span>
        </p>
      )}
      {full.length > 0 && (
        <p role="alert" className="flex items-start gap-1.5 text-xs text-gold">
          <TriangleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0" />
          <span>
            {LAZY_STRINGS.tooLong(full.map(({ name, context_window: most }) => [name, formatContext(most)]))}
          </span>
        </p>
      )}
      <p role="status" className="sr-only">
        {files.flatMap(({ stored, name }) => (stored ? [LAZY_STRINGS.attached(name)] : [])).at(-1)}
      </p>
    </div>
  );
}

function holdOf(files: readonly Attaching[]): string | null {
  if (files.some(({ error }) => error)) return LAZY_STRINGS.removeFailed;
  return files.some(({ stored }) => !stored) ? LAZY_STRINGS.uploading : null;
}
