/** A picture or file of a question or a reply: a picture opens in a tab of its own, a file is downloaded. */

import { Download, FileText } from "lucide-react";
import { fileUrl, isPicture, thumbnailUrl } from "@/api/attachments";
import type { Stored } from "@/features/arena/attachments/uploads";
import { cn } from "@/lib/cn";
import { formatBytes } from "@/lib/format";

/** The height of a large picture at most: in pixels, and in hundredths of the window, so that a panel shows it whole. */
const HIGHEST = { px: 448, vh: 40 };

interface AttachedFileProps {
  file: Stored;
  /** A picture is shown to be looked at. */
  large?: boolean;
}

export const AttachedFile = (props: AttachedFileProps) =>
  isPicture(props.file) ? <Picture {...props} /> : <File file={props.file} />;

function Picture({ file: { sha256, name, width, height }, large }: AttachedFileProps) {
  // A large one has its place before it is here, so that the text after it stays where it is.
  const scale = large && height ? Math.min(1, HIGHEST.px / height) : 1;
  const maxWidth = large && width && height ? `min(100%, ${(HIGHEST.vh * width) / height}vh)` : undefined;
  return (
    <a
      href={fileUrl(sha256)}
      target="_blank"
      rel="noopener"
      title={name}
      aria-label={`Open picture ${name}`}
      className="block overflow-clip rounded-md border border-line hover:border-line-strong"
      style={{ maxWidth }}
    >
      <img
        src={large ? fileUrl(sha256) : thumbnailUrl(sha256)}
        alt={name}
        width={width ? Math.round(width * scale) : undefined}
        height={height ? Math.round(height * scale) : undefined}
        className={cn("max-w-full bg-raised", large ? "h-auto" : "h-28 w-auto object-cover")}
      />
    </a>
  );
}

function File({ file: { sha256, name, size } }: AttachedFileProps) {
  return (
    <a
      href={fileUrl(sha256)}
      download={name}
      className="flex max-w-full touch:min-h-11 items-center gap-2 rounded-md border border-line bg-page px-2.5 py-1.5 text-sm hover:border-line-strong"
    >
      <FileText aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
      <span className="sr-only">Download </span>
      <bdi className="truncate">{name}</bdi>
      <span className="num shrink-0 text-xs text-ink-3">{formatBytes(size)}</span>
      <Download aria-hidden="true" className="size-3.5 shrink-0 text-ink-3" />
    </a>
  );
}
