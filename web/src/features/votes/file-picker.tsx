import { Upload } from "lucide-react";
import { type DragEvent, useId, useState } from "react";
import { cn } from "@/lib/cn";

/** A place to drop a file on, and a button to choose one. */
export function FilePicker({ onFile }: { onFile: (file: File) => void }) {
  const [over, setOver] = useState(false);
  const id = useId();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onFile(file);
  };
  return (
    <>
      <p className="text-ink-2">
        CSV, JSON Lines or Parquet in LMArena’s format. Required columns: model_a, model_b and winner. You see
        what is in the file before anything is imported.
      </p>
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
        <span className="font-medium">Drop a file here or choose one</span>
        <span className="text-xs text-ink-3">.csv, .tsv, .jsonl, .parquet, up to 2 GiB</span>
        <input
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,.jsonl,.ndjson,.parquet"
          className="sr-only"
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file) onFile(file);
          }}
        />
      </label>
    </>
  );
}
