/** Gives a line-up its name. */

import { useState } from "react";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";

interface NameFormProps {
  label: string;
  button: string;
  initial?: string;
  pending: boolean;
  onName: (name: string) => void;
}

export function NameForm({ label, button, initial = "", pending, onName }: NameFormProps) {
  const [name, setName] = useState(initial);
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        // A form in a floating panel is still inside the composer's form for React.
        event.stopPropagation();
        if (name.trim()) onName(name.trim());
      }}
    >
      <Field
        autoFocus
        aria-label={label}
        placeholder={`${label}…`}
        maxLength={200}
        className="min-w-0 flex-1"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" disabled={!name.trim() || pending}>
        {button}
      </Button>
    </form>
  );
}
