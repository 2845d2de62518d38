/** What came with a question, and in a draft a way to take it back. */

import { X } from "lucide-react";
import { AttachedFile } from "@/features/arena/attachments/attached-file";
import type { Stored } from "@/features/arena/attachments/uploads";
import { IconButton } from "@/ui/icon-button";

interface AttachedProps {
  files: readonly Stored[];
  onRemove?: ((sha256: string) => void) | undefined;
}

export function Attached({ files, onRemove }: AttachedProps) {
  return (
    <ul aria-label="Attachments" className="mb-2 flex flex-wrap gap-1.5">
      {files.map((file) => (
        <li key={file.sha256} className="flex max-w-full items-start gap-0.5">
          <AttachedFile file={file} />
          {onRemove && (
            <IconButton size="icon-sm" label={`Remove ${file.name}`} onClick={() => onRemove(file.sha256)}>
              <X />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  );
}
