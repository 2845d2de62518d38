/** Exports sessions as one file, or each into the library, in the format that the person chooses. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { exportToLibrary, libraryKey, uploadAsset } from "@/api/library";
import { useMayWrite } from "@/api/permissions";
import { asApiError } from "@/api/problem";
import { exportSessions, type SessionFormat } from "@/api/sessions";
import type { SessionCard } from "@/api/types";
import { MissingPart, orMissing } from "@/components/failure";
import { counted } from "@/lib/format";
import { saveFile } from "@/lib/save-file";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";

type Format = NonNullable<SessionFormat>;

const FORMATS: { value: Format; name: string; about: string }[] = [
  { value: "markdown", name: "Markdown", about: "Questions and answers as text." },
  {
    value: "html",
    name: "Web page",
    about: "With formulas, colored code and diagrams. Opens in any browser, offline and without Parley.",
  },
  { value: "json", name: "JSON", about: "Messages in the format of OpenAI’s API. Parley can import it." },
];

type Report = (done: number, all: number) => void;

/** The sessions as a page that holds all of it: what draws formulas and diagrams is here, not on the server. */
async function exportPage(ids: string[], onText: Report) {
  const { name, content } = await exportSessions(ids, "html", "source");
  const { renderPage } = await orMissing(import("@/components/markdown/rendered-page"));
  const page = await renderPage(await content.text(), onText);
  return { name, content: new Blob([page], { type: "text/html" }) };
}

export function ExportDialog({ sessions, onClose }: { sessions: SessionCard[]; onClose: () => void }) {
  const [format, setFormat] = useState<Format>("markdown");
  const [saving, setSaving] = useState(false);
  const [progress, setProgress] = useState("");
  const [problem, setProblem] = useState("");
  const client = useQueryClient();
  const mayWrite = useMayWrite();
  const closed = useRef(false);
  useEffect(() => {
    closed.current = false;
    return () => {
      closed.current = true;
    };
  }, []);
  const report: Report = (done, all) => setProgress(`Rendering text ${done + 1} of ${all}…`);
  const download = async () => {
    const ids = sessions.map(({ id }) => id);
    const { name, content } = await (format === "html"
      ? exportPage(ids, report)
      : exportSessions(ids, format));
    if (!closed.current) saveFile(name, content);
  };
  const keep = async () => {
    try {
      for (const { id } of sessions) {
        if (format !== "html") await exportToLibrary(id, format);
        else {
          const { name, content } = await exportPage([id], report);
          await uploadAsset(new File([content], name), id);
        }
      }
      showToast(`${counted(sessions.length, "session")} exported to the library.`);
    } finally {
      await client.invalidateQueries({ queryKey: libraryKey });
    }
  };
  const run = async (work: () => Promise<void>) => {
    setSaving(true);
    setProblem("");
    try {
      await work();
      if (closed.current) return;
      onClose();
    } catch (error) {
      setProblem(error instanceof MissingPart ? error.message : asApiError(error).message);
      setSaving(false);
      setProgress("");
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Export ${counted(sessions.length, "session")}`}
      titled
    >
      <form
        className="flex flex-col gap-4 px-5 pt-3 pb-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!saving) run(download);
        }}
      >
        <fieldset className="flex flex-col gap-1">
          <legend className="sr-only">Format</legend>
          {FORMATS.map(({ value, name, about }) => (
            <label
              key={value}
              className="flex cursor-pointer items-start gap-3 rounded-sm p-2 hover:bg-raised has-checked:bg-raised"
            >
              <input
                type="radio"
                name="format"
                className="mt-1 accent-accent"
                checked={format === value}
                onChange={() => setFormat(value)}
              />
              <span>
                <span className="block text-sm font-medium">{name}</span>
                <span className="block text-sm text-ink-2">{about}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <p role="alert" className="text-sm text-bad empty:hidden">
          {problem}
        </p>
        <div className="flex items-center justify-end gap-2">
          <p role="status" className="num mr-auto text-sm text-ink-3">
            {progress}
          </p>
          <Button onClick={onClose}>Cancel</Button>
          {mayWrite && (
            <Button disabled={saving} onClick={() => run(keep)}>
              Export to library
            </Button>
          )}
          <Button type="submit" variant="primary" disabled={saving}>
            Export
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
