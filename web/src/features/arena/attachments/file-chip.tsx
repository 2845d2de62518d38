/** One file of a draft: what it is, how large, how far its upload is, and a way to take it back. */

import { FileText, X } from "lucide-react";
import { isPicture, thumbnailUrl } from "@/api/attachments";
import { ProgressBar } from "@/components/progress-bar";
import { EncodingMenu } from "@/features/arena/attachments/encoding-menu";
import { canRetry, keepAsText, retry } from "@/features/arena/attachments/uploads";
import type { Attaching } from "@/features/arena/composer-store";
import { cn } from "@/lib/cn";
import { focusComposer } from "@/lib/focus-composer";
import { formatAbout, formatBytes } from "@/lib/format";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";

export function FileChip({ file, onRemove }: { file: Attaching; onRemove: () => void }) {
  const { key, name, stored, error } = file;
  return (
    <li
      className={cn(
        "flex max-w-full min-w-0 items-center gap-2 rounded-md border bg-page py-1 pr-1 pl-1.5 text-xs",
        error ? "border-bad/50" : "border-line",
      )}
    >
      {stored && isPicture(stored) ? (
        <img
          src={thumbnailUrl(stored.sha256)}
          alt=""
          className="size-9 shrink-0 rounded-sm bg-raised object-cover"
        />
      ) : (
        <FileText aria-hidden="true" className="mx-1.5 size-5 shrink-0 text-ink-3" />
      )}
      <div className="min-w-0">
        <p className="max-w-52 truncate font-medium" title={name}>
          <bdi>{name}</bdi>
        </p>
        {error ? (
          <p role="alert" className="max-w-80 text-bad [overflow-wrap:anywhere]">
            {error}
          </p>
        ) : stored ? (
          <>
            <p className="num text-ink-3">{factsOf(file)}</p>
            <EncodingMenu file={file} />
          </>
        ) : (
          <Uploading file={file} />
        )}
      </div>
      {error && canRetry(key) && (
        <Button size="sm" onClick={() => retry(key)}>
          Retry
        </Button>
      )}
      {file.pasted && (
        <Button size="sm" variant="quiet" onClick={() => keepAsText(key).finally(focusComposer)}>
          Keep as text
        </Button>
      )}
      <IconButton size="icon-sm" label={`Remove ${name}`} onClick={onRemove}>
        <X />
      </IconButton>
    </li>
  );
}

function Uploading({ file: { name, done } }: { file: Attaching }) {
  return (
    <div className="flex items-center gap-2 text-ink-3">
      <ProgressBar
        label={`Uploading ${name}`}
        done={done < 1 ? done : null}
        className="h-1.5 w-24 shrink-0"
      />
      {done < 1 ? "Uploading…" : "Reading…"}
    </div>
  );
}

function factsOf({ size, stored }: Attaching): string {
  if (!stored) return "";
  const { pages, tokens } = stored;
  return [
    formatBytes(size),
    ...(pages === null ? [] : [pages === 1 ? "1 page" : `${pages} pages`]),
    tokens === 1 ? "about 1 token" : `about ${formatAbout(tokens)} tokens`,
  ].join(" · ");
}
