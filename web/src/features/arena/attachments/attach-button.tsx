/** The button that chooses files for the next question; takes those that are dropped or pasted, too. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Paperclip } from "lucide-react";
import { useRef } from "react";
import { createPortal } from "react-dom";
import { asApiError } from "@/api/problem";
import { aboutQuery } from "@/api/queries";
import type { About } from "@/api/types";
import { MissingPart, orMissing } from "@/components/failure";
import { loadParts } from "@/features/arena/attachments/lazy-parts";
import { useDropped } from "@/features/arena/attachments/use-dropped";
import { useComposer } from "@/features/arena/composer-store";
import { focusComposer } from "@/lib/focus-composer";
import { showToast } from "@/lib/toast-store";
import { IconButton } from "@/ui/icon-button";

const attachHint = (megabytes: number | "") =>
  `Attach pictures (PNG, JPEG, WebP, GIF), PDF, Word (.docx), Excel (.xlsx), text, code or CSV: up to ${megabytes} MB each. You can also drop or paste them.`;

/** Attach files to the draft of a place, which is not sent without them meanwhile. */
async function attachFiles(place: string, files: File[], getAbout: () => Promise<About>) {
  const settle = useComposer.getState().awaitFiles(place);
  try {
    const [{ PARTS }, about] = await Promise.all([orMissing(loadParts()), getAbout()]);
    PARTS.attach(place, files, about);
  } catch (error) {
    const { message } = error instanceof MissingPart ? error : asApiError(error);
    const names = files.map(({ name }) => name).join(", ");
    showToast(`${message} ${names} can’t be attached now. Try again in a moment.`, { tone: "bad" });
  } finally {
    settle();
  }
}

export function AttachButton({ place }: { place: string }) {
  const { data: about } = useQuery(aboutQuery);
  const picker = useRef<HTMLInputElement>(null);
  const client = useQueryClient();
  const add = (files: File[]) => attachFiles(place, files, () => client.ensureQueryData(aboutQuery));
  const over = useDropped(add);
  return (
    <>
      <IconButton
        size="icon-sm"
        label="Attach files"
        hint={attachHint(about ? about.max_attachment_bytes / 2 ** 20 : "")}
        side="top"
        onClick={() => {
          loadParts().catch(() => undefined);
          picker.current?.click();
        }}
      >
        <Paperclip />
      </IconButton>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Attach files"
        onChange={({ currentTarget: input }) => {
          add([...(input.files ?? [])]);
          input.value = "";
          focusComposer();
        }}
      />
      {over && createPortal(<DropTarget />, document.body)}
    </>
  );
}

function DropTarget() {
  return (
    <div className="pointer-events-none fixed inset-0 z-50 grid animate-fade-in place-items-center bg-veil">
      <p className="rounded-lg border-2 border-accent border-dashed bg-surface px-6 py-4 text-md font-medium shadow-lift">
        Drop files to attach them
      </p>
    </div>
  );
}
