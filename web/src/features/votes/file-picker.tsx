import { Upload } from "lucide-react";
import { type DragEvent, useId, useState } from "react";
import { STRINGS } from "@/features/votes/strings";
import { cn } from "@/lib/cn";
import { Checkbox } from "@/ui/checkbox";

/** A place to drop a file on, and a button to choose one. */
export function FilePicker({ onFile }: { onFile: (file: File, skipBad: boolean) => void }) {
  const [over, setOver] = useState(false);
  const [skipBad, setSkipBad] = useState(false);
  const id = useId();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onFile(file, skipBad);
  };
  return (
    <>
      <p className="text-ink-2">{STRINGS.fileFormatHint}</p>
      <label
        htmlFor={id}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={cn(
          "flex cursor-pointer flex-col items-center gap-2 rounded-md border border-dashed px-4 py-9 text-center transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
          over ? "border-accent bg-raised" : "border-line-strong hover:bg-raised/60",
        )}
      >
        <Upload aria-hidden="true" className="size-5 text-ink-3" />
        <span className="font-medium">{STRINGS.dropFile}</span>
        <span className="text-xs text-ink-3">{STRINGS.fileLimits}</span>
        <input
          id={id}
          type="file"
          accept=".csv,.jsonl,.ndjson,.parquet"
          className="sr-only"
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file) onFile(file, skipBad);
          }}
        />
      </label>
      <label className="flex cursor-pointer items-center gap-2.5 text-sm text-ink-2">
        <Checkbox checked={skipBad} onChange={() => setSkipBad(!skipBad)} />
        {STRINGS.importValidRows}
      </label>
    </>
  );
}
