/** Asks for a name. */

import { type FormEvent, useState } from "react";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";

interface NameDialogProps {
  title: string;
  action: string;
  start?: string;
  pending: boolean;
  onName: (name: string) => void;
  onClose: () => void;
}

export function NameDialog({ title, action, start = "", pending, onName, onClose }: NameDialogProps) {
  const [name, setName] = useState(start);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) onName(name.trim());
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} titled className="max-w-sm">
      <form onSubmit={submit} className="flex flex-col gap-4 p-5 pt-3">
        <Field
          aria-label="Name"
          autoFocus
          maxLength={80}
          placeholder="Name"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabled={!name.trim() || pending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
