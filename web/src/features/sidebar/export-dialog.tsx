/** Exports sessions as one file, in the format that the person chooses. */

import { useState } from "react";
import { asApiError } from "@/api/problem";
import { exportSessions, type SessionFormat } from "@/api/sessions";
import type { SessionCard } from "@/api/types";
import { LAZY_STRINGS } from "@/features/sidebar/lazy-strings";
import { counted } from "@/lib/format";
import { saveFile } from "@/lib/save-file";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";

type Format = NonNullable<SessionFormat>;

const FORMATS: { value: Format; name: string; about: string }[] = [
  { value: "markdown", name: LAZY_STRINGS.markdown, about: LAZY_STRINGS.markdownHint },
  { value: "html", name: LAZY_STRINGS.webPage, about: LAZY_STRINGS.webPageHint },
  { value: "json", name: LAZY_STRINGS.json, about: LAZY_STRINGS.jsonHint },
];

export function ExportDialog({ sessions, onClose }: { sessions: SessionCard[]; onClose: () => void }) {
  const [format, setFormat] = useState<Format>("markdown");
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState("");
  const save = async () => {
    setSaving(true);
    setProblem("");
    try {
      const ids = sessions.map(({ id }) => id);
      const { name, content } = await exportSessions(ids, format);
      saveFile(name, content);
      onClose();
    } catch (error) {
      setProblem(asApiError(error).message);
      setSaving(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={LAZY_STRINGS.exportTitle(counted(sessions.length, "session"))}
      titled
    >
      <form
        className="flex flex-col gap-4 px-5 pt-3 pb-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!saving) save();
        }}
      >
        <fieldset className="flex flex-col gap-1">
          <legend className="sr-only">{LAZY_STRINGS.format}</legend>
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
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{LAZY_STRINGS.cancel}</Button>
          <Button type="submit" variant="primary" disabled={saving}>
            {LAZY_STRINGS.export}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
