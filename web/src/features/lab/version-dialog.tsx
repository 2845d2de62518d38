/** Asks for the note of a new version, and saves it. */

import { useState } from "react";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";

interface VersionDialogProps {
  title: string;
  hint?: string;
  pending: boolean;
  onSave: (note: string) => void;
  onClose: () => void;
}

export function VersionDialog({ title, hint, pending, onSave, onClose }: VersionDialogProps) {
  const [note, setNote] = useState("");
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} titled className="max-w-md">
      <form
        className="flex flex-col gap-4 p-5 pt-3"
        onSubmit={(event) => {
          event.preventDefault();
          onSave(note);
        }}
      >
        {hint && <p className="text-xs text-ink-3">{hint}</p>}
        <Field
          aria-label="Note"
          autoFocus
          maxLength={500}
          placeholder="Note: the reason for this change"
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabled={pending}>
            Save version
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
