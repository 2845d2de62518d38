/** Votes out to a file and in from one. */

import { Download, Upload } from "lucide-react";
import { useState } from "react";
import { type ExportFormat, exportAddress } from "@/api/votes";
import { ImportDialog } from "@/features/votes/import-dialog";
import { STRINGS } from "@/features/votes/strings";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";
import { Segmented } from "@/ui/segmented";

const FORMATS: { value: ExportFormat; label: string }[] = [
  { value: "csv", label: STRINGS.csv },
  { value: "jsonl", label: STRINGS.jsonLines },
  { value: "parquet", label: STRINGS.parquet },
];

interface TransfersProps {
  importing: boolean;
  onImporting: (on: boolean) => void;
}

export function Transfers({ importing, onImporting }: TransfersProps) {
  return (
    <>
      <Button variant="quiet" onClick={() => onImporting(true)}>
        <Upload aria-hidden="true" />
        {STRINGS.import}
      </Button>
      <Popover>
        <PopoverTrigger asChild>
          <Button variant="quiet">
            <Download aria-hidden="true" />
            {STRINGS.export}
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
      <p className="text-sm text-ink-2">{STRINGS.exportHint}</p>
      <Segmented
        label={STRINGS.format}
        value={format}
        options={FORMATS}
        onChange={setFormat}
        className="w-full *:flex-1 *:justify-center *:px-1"
      />
      <label className="flex cursor-pointer items-center gap-2.5 text-sm">
        <Checkbox checked={texts} onChange={() => setTexts(!texts)} />
        {STRINGS.includeTexts}
      </label>
      <label className="flex cursor-pointer items-center gap-2.5 text-sm">
        <Checkbox checked={uncounted} onChange={() => setUncounted(!uncounted)} />
        {STRINGS.includeUncounted}
      </label>
      {texts && <p className="text-xs text-ink-3">{STRINGS.textsWarning}</p>}
      <Button asChild variant="primary" className="justify-center">
        <a href={exportAddress(format, texts, uncounted)} download={`parley-votes.${format}`}>
          <Download aria-hidden="true" />
          {STRINGS.download}
        </a>
      </Button>
    </div>
  );
}
