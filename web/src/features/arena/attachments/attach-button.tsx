/** The button that chooses files for the next question; takes those that are dropped or pasted, too. */

import { useQuery } from "@tanstack/react-query";
import { Paperclip } from "lucide-react";
import { useRef } from "react";
import { createPortal } from "react-dom";
import { aboutQuery } from "@/api/queries";
import type { About } from "@/api/types";
import { MissingPart } from "@/components/failure";
import { loadParts } from "@/features/arena/attachments/lazy-parts";
import { useDropped } from "@/features/arena/attachments/use-dropped";
import { focusComposer } from "@/lib/focus-composer";
import { showToast } from "@/lib/toast-store";
import { IconButton } from "@/ui/icon-button";

const attachHint = (megabytes: number | "") =>
  `Attach pictures (PNG, JPEG, WebP, GIF), PDF, Word (.docx), Excel (.xlsx), text, code or CSV: up to ${megabytes} MB each. You can also drop or paste them.`;

/** Attach files to the draft of a place. */
const attachFiles = (place: string, files: File[], about: About) =>
  loadParts().then(
    ({ PARTS }) => PARTS.attach(place, files, about),
    () => showToast(new MissingPart().message, { tone: "bad" }),
  );

export function AttachButton({ place }: { place: string }) {
  const { data: about } = useQuery(aboutQuery);
  const picker = useRef<HTMLInputElement>(null);
  const add = (files: File[]) => about && attachFiles(place, files, about);
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
