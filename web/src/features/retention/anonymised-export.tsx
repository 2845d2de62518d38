/** The anonymised export: what to put into it, what is guaranteed and what is not. */
import { useState } from "react";
import { anonymisedExportPath, type ExportContent, type ExportFormat } from "@/api/retention";
import { Setting } from "@/components/setting";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Select } from "@/ui/select";

const CONTENT = [
  { value: "everything", label: "Sessions, replies and votes" },
  { value: "votes", label: "Votes only, without any text" },
];
const FORMATS = [
  { value: "jsonl", label: "JSON Lines" },
  { value: "parquet", label: "Parquet, in a ZIP" },
];

export function AnonymisedExport() {
  const [open, setOpen] = useState(false);
  return (
    <Setting
      name="Anonymised export"
      about="Everybody’s sessions and votes for research: pseudonyms, days instead of times, and cleaned texts."
    >
      <Button onClick={() => setOpen(true)}>Export…</Button>
      {open && <Choice onClose={() => setOpen(false)} />}
    </Setting>
  );
}

function Choice({ onClose }: { onClose: () => void }) {
  const [content, setContent] = useState<string>("everything");
  const [format, setFormat] = useState<string>("jsonl");
  const path = anonymisedExportPath(format as ExportFormat, content as ExportContent);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Export anonymised" titled>
      <div className="flex flex-col gap-4 px-5 pt-2 pb-5 text-sm">
        <div className="flex flex-wrap gap-2">
          <Select aria-label="Content" value={content} onChange={setContent} options={CONTENT} />
          <Select aria-label="Format" value={format} onChange={setFormat} options={FORMATS} />
        </div>
        <p className="text-ink-2">
          People, sessions and votes get pseudonyms of this file alone; the key is thrown away. Deleted
          sessions and battles without a vote are left out.
        </p>
        {content === "everything" && (
          <p className="text-ink-2">
            E-mail addresses, long numbers, keys, tokens in links and the names of accounts are removed from
            texts. <strong className="font-medium text-ink">Not guaranteed:</strong> names of others, places
            and events stay, as does how somebody writes. Read the texts before you publish them.
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" asChild>
            <a href={path} download onClick={onClose}>
              Export
            </a>
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
