/** What came with a question: a picture opens in a tab of its own, a file is downloaded. */

import { Download, FileText, X } from "lucide-react";
import { fileUrl, thumbnailUrl } from "@/api/attachments";
import type { Stored } from "@/features/arena/attachments/attaching";
import { LAZY_STRINGS } from "@/features/arena/attachments/lazy-strings";
import { isPicture } from "@/features/arena/attachments/sight";
import { formatBytes } from "@/lib/format";
import { IconButton } from "@/ui/icon-button";

interface AttachedProps {
  files: readonly Stored[];
  onRemove?: ((sha256: string) => void) | undefined;
}

export function Attached({ files, onRemove }: AttachedProps) {
  return (
    <ul aria-label={LAZY_STRINGS.attachments} className="mb-2 flex flex-wrap gap-1.5">
      {files.map((file) => (
        <li key={file.sha256} className="flex max-w-full items-start gap-0.5">
          {isPicture(file) ? <Picture file={file} /> : <File file={file} />}
          {onRemove && (
            <IconButton
              size="icon-sm"
              label={LAZY_STRINGS.remove(file.name)}
              onClick={() => onRemove(file.sha256)}
            >
              <X />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  );
}

function Picture({ file: { sha256, name, width, height } }: { file: Stored }) {
  return (
    <a
      href={fileUrl(sha256)}
      target="_blank"
      rel="noopener"
      title={name}
      aria-label={LAZY_STRINGS.open(name)}
      className="block overflow-clip rounded-md border border-line hover:border-line-strong"
    >
      <img
        src={thumbnailUrl(sha256)}
        alt={name}
        width={width ?? undefined}
        height={height ?? undefined}
        className="h-28 w-auto max-w-full bg-raised object-cover"
      />
    </a>
  );
}

function File({ file: { sha256, name, size } }: { file: Stored }) {
  return (
    <a
      href={fileUrl(sha256)}
      download={name}
      aria-label={LAZY_STRINGS.download(name)}
      className="flex max-w-full touch:min-h-11 items-center gap-2 rounded-md border border-line bg-page px-2.5 py-1.5 text-sm hover:border-line-strong"
    >
      <FileText aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
      <bdi className="truncate">{name}</bdi>
      <span className="num shrink-0 text-xs text-ink-3">{formatBytes(size)}</span>
      <Download aria-hidden="true" className="size-3.5 shrink-0 text-ink-3" />
    </a>
  );
}
