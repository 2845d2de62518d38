/** The pictures and files of a draft, and what stands against sending them. */

import { EyeOff, TriangleAlert } from "lucide-react";
import { useEffect } from "react";
import { isPicture } from "@/api/attachments";
import { FileChip } from "@/features/arena/attachments/file-chip";
import { holdOf } from "@/features/arena/attachments/hold";
import { overfilled, unreadBy, unseenBy } from "@/features/arena/attachments/model-limits";
import { remove, settleUploads } from "@/features/arena/attachments/uploads";
import { type Attaching, useComposer } from "@/features/arena/composer-store";
import type { Choosing, Plan } from "@/features/arena/mode-feature";
import { hasTables } from "@/features/tools/steps";
import { focusComposer } from "@/lib/focus-composer";
import { formatContext } from "@/lib/format";

const tooLong = (models: readonly (readonly [name: string, most: string])[]) =>
  `The files may be too long: ${models.map(([name, most]) => `${name} reads at most ${most} tokens`).join(", ")}.`;

export interface DraftFilesProps {
  place: string;
  situation: Choosing;
  plan: Plan;
  /** Why the question cannot be sent with its files, for the composer to say; null where it can, undefined once nobody looks. */
  onHold: (why: string | null | undefined) => void;
}

const NONE: Attaching[] = [];

export function DraftFiles({ place, situation, plan, onHold }: DraftFilesProps) {
  const files = useComposer((state) => state.attached[place]) ?? NONE;
  const fresh = files.some(({ stored }) => stored && isPicture(stored));
  const unread = unreadBy(situation, files.length);
  const unseen = unread ?? unseenBy(situation, plan, fresh);
  const tokens = files.reduce((sum, { stored }) => sum + (stored?.tokens ?? 0), 0);
  const tables = files.reduce(
    (sum, { name, stored }) => sum + (hasTables(name) ? (stored?.tokens ?? 0) : 0),
    0,
  );
  const full = overfilled(situation, plan, tokens, tables);
  const asks = useComposer((state) => (state.drafts[place] ?? "").trim() !== "");
  const hold =
    holdOf(files) ??
    (unread && "The files can’t be sent") ??
    (unseen && "The picture can’t be sent") ??
    (files.length > 0 && !asks ? "Type a question to send with the files" : null);
  const blinded = unseen?.models.join(" ") ?? "";

  useEffect(() => settleUploads(place), [place]);
  useEffect(() => {
    // Until the mode is known, nobody knows if it takes them.
    onHold(situation.info ? hold : undefined);
    useComposer.setState({ unseeing: blinded ? blinded.split(" ") : [] });
    return () => {
      onHold(undefined);
      useComposer.setState({ unseeing: [] });
    };
  }, [hold, blinded, onHold, situation.info]);

  if (files.length === 0 && !unseen) return null;
  return (
    // On a phone, a composer that holds files is one in use.
    <div data-state="open" className="flex flex-col gap-1.5 px-2.5 pt-1 pb-2">
      <ul aria-label="Attachments" className="flex max-h-[22vh] flex-wrap gap-1.5 overflow-y-auto">
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
          <span>{tooLong(full.map(({ name, context_window: most }) => [name, formatContext(most)]))}</span>
        </p>
      )}
      <p role="status" className="sr-only">
        {files.flatMap(({ stored, name }) => (stored ? [`${name} is attached.`] : [])).at(-1)}
      </p>
    </div>
  );
}
