/** Votes out to a file and in from one. */

import { Download, Upload } from "lucide-react";
import { useState } from "react";
import { type ExportFormat, exportAddress } from "@/api/votes";
import { ImportDialog } from "@/features/votes/import-dialog";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";
import { Segmented } from "@/ui/segmented";

const FORMATS: { value: ExportFormat; label: string }[] = [
  { value: "csv", label: "CSV" },
  { value: "jsonl", label: "JSON Lines" },
  { value: "parquet", label: "Parquet" },
];

interface ImportExportProps {
  importing: boolean;
  onImporting: (on: boolean) => void;
}

export function ImportExport({ importing, onImporting }: ImportExportProps) {
  return (
    <>
      <Button variant="quiet" onClick={() => onImporting(true)}>
        <Upload aria-hidden="true" />
        Import
      </Button>
      <Popover>
        <PopoverTrigger asChild>
          <Button variant="quiet">
            <Download aria-hidden="true" />
            Export
          </Button>
        </PopoverTrigger>
        <PopoverContent align="end" className="w-80 p-4">
          <ExportChoice />
        </PopoverContent>
      </Popover>
      {importing && <ImportDialog onClose={() => onImporting(false)} />}
    </>
  );
}

function ExportChoice() {
  const [format, setFormat] = useState<ExportFormat>("csv");
  const [texts, setTexts] = useState(false);
  const [uncounted, setUncounted] = useState(true);
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm text-ink-2">
        All votes that were cast here in LMArena’s format, with pseudonyms for voters. Imported votes are in
        their own files.
      </p>
      <Segmented
        label="Format"
        value={format}
        options={FORMATS}
        onChange={setFormat}
        className="w-full *:flex-1 *:justify-center *:px-1"
      />
      <label className="flex cursor-pointer items-center gap-2.5 text-sm">
        <Checkbox checked={texts} onChange={() => setTexts(!texts)} />
        Include prompts and answers
      </label>
      <label className="flex cursor-pointer items-center gap-2.5 text-sm">
        <Checkbox checked={uncounted} onChange={() => setUncounted(!uncounted)} />
        Include uncounted votes
      </label>
      {texts && <p className="text-xs text-ink-3">The file will contain what people wrote.</p>}
      <Button asChild variant="primary" className="justify-center">
        <a href={exportAddress(format, texts, uncounted)} download={`parley-votes.${format}`}>
          <Download aria-hidden="true" />
          Download
        </a>
      </Button>
    </div>
  );
}
