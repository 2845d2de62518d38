/** Imports conversations from a file, and says what came of it. */

import { useQueryClient } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useId, useRef, useState } from "react";
import { dataKey } from "@/api/data";
import { asApiError } from "@/api/problem";
import { sessionsKey } from "@/api/queries";
import { type ImportedSessions, importSessions } from "@/api/sessions";
import { Setting } from "@/components/setting";
import { counted, formatCount } from "@/lib/format";
import { Button } from "@/ui/button";

type Result = { report: ImportedSessions } | { problem: string; detail: string | null } | "cancelled";

interface Running {
  name: string;
  abort: AbortController;
}

export function ImportSessions() {
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [running, setRunning] = useState<Running | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  const hint = useId();
  const start = async (file: File) => {
    const abort = new AbortController();
    setRunning({ name: file.name, abort });
    setResult(null);
    try {
      setResult({ report: await importSessions(file, abort.signal) });
    } catch (error) {
      const { message, detail } = asApiError(error);
      setResult(abort.signal.aborted ? "cancelled" : { problem: message, detail: detail ?? null });
    } finally {
      setRunning(null);
      client.invalidateQueries({ queryKey: sessionsKey });
      client.invalidateQueries({ queryKey: dataKey });
    }
  };
  return (
    <div>
      <Setting
        name="Import sessions"
        about={
          <span id={hint}>
            Parley’s JSON, or an export of ChatGPT or Claude (JSON or ZIP), LibreChat or Open WebUI, up to 256
            MB.
          </span>
        }
      >
        <Button disabled={running !== null} aria-describedby={hint} onClick={() => input.current?.click()}>
          <Upload aria-hidden="true" />
          Import sessions
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
        {running && (
          <p className="flex items-center gap-3 text-ink-2">
            <span className="min-w-0 [overflow-wrap:anywhere]">Importing {running.name}…</span>
            <Button size="sm" onClick={() => running.abort.abort()}>
              Cancel import
            </Button>
          </p>
        )}
        {result && <Outcome result={result} />}
      </div>
    </div>
  );
}

function Outcome({ result }: { result: Result }) {
  if (result === "cancelled") {
    return (
      <p>
        Import cancelled. Conversations imported so far are saved. Import the file again to add the others.
      </p>
    );
  }
  if ("problem" in result) {
    return (
      <p className="text-bad">
        {result.problem} {result.detail}
      </p>
    );
  }
  const { imported, already_here, unreadable, skipped, notes } = result.report;
  return (
    <>
      <p>
        Imported {counted(imported, "session")}.{" "}
        {already_here > 0 && `${formatCount(already_here)} already here.`}{" "}
        {unreadable > 0 && `${formatCount(unreadable)} skipped:`}
      </p>
      <Places lines={skipped.map(({ place, title, reason }) => ({ place, title, text: reason }))} />
      {notes.length > 0 && <p className="mt-1.5">Imported with changes:</p>}
      <Places lines={notes} />
    </>
  );
}

interface Line {
  place: number;
  title: string;
  text: string;
}

function Places({ lines }: { lines: readonly Line[] }) {
  if (lines.length === 0) return null;
  return (
    <ul className="mt-1.5 max-h-40 list-disc overflow-y-auto pl-5 text-ink-2 [overflow-wrap:anywhere]">
      {lines.map(({ place, title, text }) => (
        <li key={`${place} ${text}`}>
          Conversation {formatCount(place)}
          {title ? ` “${title}”` : ""}: {text}.
        </li>
      ))}
    </ul>
  );
}
