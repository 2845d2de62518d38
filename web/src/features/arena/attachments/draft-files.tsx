/** The pictures and files of a draft, and what stands against sending them; takes those that are dropped or pasted. */

import { useQuery } from "@tanstack/react-query";
import { EyeOff, TriangleAlert } from "lucide-react";
import { useEffect } from "react";
import { createPortal } from "react-dom";
import { aboutQuery } from "@/api/queries";
import { attach, remove, settleUploads } from "@/features/arena/attachments/attaching";
import { FileChip } from "@/features/arena/attachments/file-chip";
import { isPicture, overfilled, unseenBy } from "@/features/arena/attachments/sight";
import { STRINGS } from "@/features/arena/attachments/strings";
import { useDropped } from "@/features/arena/attachments/use-dropped";
import { type Attaching, useComposer } from "@/features/arena/composer-store";
import type { Choosing, Plan } from "@/features/arena/mode-feature";
import { focusComposer } from "@/lib/focus-composer";
import { formatContext } from "@/lib/format";

interface DraftFilesProps {
  place: string;
  situation: Choosing;
  plan: Plan;
  /** Why the question cannot be sent with its files, for the composer to say; null where it can. */
  onHold: (why: string | null) => void;
}

const NONE: Attaching[] = [];

export function DraftFiles({ place, situation, plan, onHold }: DraftFilesProps) {
  const { data: about } = useQuery(aboutQuery);
  const files = useComposer((state) => state.attached[place]) ?? NONE;
  const fresh = files.some(({ stored }) => stored && isPicture(stored));
  const unseen = unseenBy(situation, plan, fresh);
  const tokens = files.reduce((sum, { stored }) => sum + (stored?.tokens ?? 0), 0);
  const full = overfilled(situation, plan, tokens);
  const hold = holdOf(files) ?? (unseen && STRINGS.notSendable);
  const blinded = unseen?.models.join(" ") ?? "";
  const add = (chosen: File[]) => about && attach(place, chosen, about);
  const over = useDropped(add);

  useEffect(() => settleUploads(place), [place]);
  useEffect(() => {
    onHold(hold);
    useComposer.setState({ unseeing: blinded ? blinded.split(" ") : [] });
    return () => {
      onHold(null);
      useComposer.setState({ unseeing: [] });
    };
  }, [hold, blinded, onHold]);

  if (files.length === 0 && !unseen) return over && createPortal(<DropTarget />, document.body);
  return (
    // On a phone, a composer that holds files is one in use.
    <div data-state="open" className="flex flex-col gap-1.5 px-2.5 pt-1 pb-2">
      <ul aria-label={STRINGS.attachments} className="flex flex-wrap gap-1.5">
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
            {STRINGS.tooLong(full.map(({ name, context_window: most }) => [name, formatContext(most)]))}
          </span>
        </p>
      )}
      <p role="status" className="sr-only">
        {files.flatMap(({ stored, name }) => (stored ? [STRINGS.attached(name)] : [])).at(-1)}
      </p>
      {over && createPortal(<DropTarget />, document.body)}
    </div>
  );
}

function DropTarget() {
  return (
    <div className="pointer-events-none fixed inset-0 z-50 grid animate-fade-in place-items-center bg-veil">
      <p className="rounded-lg border-2 border-accent border-dashed bg-surface px-6 py-4 text-md font-medium shadow-lift">
        {STRINGS.drop}
      </p>
    </div>
  );
}

function holdOf(files: readonly Attaching[]): string | null {
  if (files.some(({ error }) => error)) return STRINGS.removeFailed;
  return files.some(({ stored }) => !stored) ? STRINGS.uploading : null;
}
