/** Imports conversations from a file, and says what came of it. */

import { useQueryClient } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useId, useRef, useState } from "react";
import { dataKey } from "@/api/data";
import { asApiError } from "@/api/problem";
import { sessionsKey } from "@/api/queries";
import { type ImportedSessions, importSessions } from "@/api/sessions";
import { Setting } from "@/components/setting";
import { STRINGS } from "@/features/settings/strings";
import { counted, formatCount } from "@/lib/format";
import { Button } from "@/ui/button";

type Result = { report: ImportedSessions } | { problem: string; detail: string | null };

export function ImportSessions() {
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [running, setRunning] = useState<string | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  const hint = useId();
  const start = async (file: File) => {
    setRunning(file.name);
    setResult(null);
    try {
      setResult({ report: await importSessions(file) });
    } catch (error) {
      const { message, detail } = asApiError(error);
      setResult({ problem: message, detail: detail ?? null });
    } finally {
      setRunning(null);
      client.invalidateQueries({ queryKey: sessionsKey });
      client.invalidateQueries({ queryKey: dataKey });
    }
  };
  return (
    <div>
      <Setting name={STRINGS.importSessions} about={<span id={hint}>{STRINGS.importSessionsHint}</span>}>
        <Button disabled={running !== null} aria-describedby={hint} onClick={() => input.current?.click()}>
          <Upload aria-hidden="true" />
          {STRINGS.importSessions}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".json,.jsonl,.zip"
          hidden
          onChange={(event) => {
            const file = event.target.files?.[0];
            event.target.value = "";
            if (file) start(file);
          }}
        />
      </Setting>
      <div role="status" className="px-4 pb-3 text-sm empty:hidden">
        {running !== null && <p className="text-ink-2">{STRINGS.importing(running)}</p>}
        {result && <Outcome result={result} />}
      </div>
    </div>
  );
}

function Outcome({ result }: { result: Result }) {
  if ("problem" in result) {
    return (
      <p className="text-bad">
        {result.problem} {result.detail}
      </p>
    );
  }
  const { imported, already_here, unreadable, skipped } = result.report;
  return (
    <>
      <p>
        {STRINGS.imported(counted(imported, "session"))}{" "}
        {already_here > 0 && STRINGS.alreadyHere(formatCount(already_here))}{" "}
        {unreadable > 0 && STRINGS.unreadable(formatCount(unreadable))}
      </p>
      {skipped.length > 0 && (
        <ul className="mt-1.5 max-h-40 list-disc overflow-y-auto pl-5 text-ink-2 [overflow-wrap:anywhere]">
          {skipped.map(({ place, title, reason }) => (
            <li key={place}>{STRINGS.skipped(place, title, reason)}</li>
          ))}
        </ul>
      )}
    </>
  );
}
