/** The page without a frame on which people come in: a card in the middle. */
import type { FormEvent, ReactNode } from "react";
import { asApiError } from "@/api/problem";
import { Logo } from "@/components/logo";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Labelled } from "@/ui/labelled";

export function Entrance({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <main className="flex min-h-dvh items-center justify-center bg-page px-4 py-10">
      <div className="w-full max-w-sm">
        <p className="mb-6 flex items-center justify-center gap-2.5 text-lg font-semibold">
          <Logo className="size-6" />
          Parley
        </p>
        <div className="rounded-lg border border-line bg-surface px-6 py-6">
          <h1 className="text-lg font-semibold">{title}</h1>
          {about && <p className="mt-1 text-sm text-ink-2">{about}</p>}
          {children}
        </div>
      </div>
    </main>
  );
}

interface EntranceFormProps {
  submit: string;
  busy: boolean;
  error: unknown;
  onSubmit: () => void;
  children: ReactNode;
}

export function EntranceForm({ submit, busy, error, onSubmit, children }: EntranceFormProps) {
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) onSubmit();
  };
  return (
    <form className="mt-5 flex flex-col gap-4" onSubmit={send}>
      {children}
      {error !== null && error !== undefined && <Problem error={error} />}
      <Button type="submit" variant="primary" className="h-10 justify-center" disabled={busy}>
        {submit}
      </Button>
    </form>
  );
}

/** “password: is too easy” as “Password is too easy”. */
function sentence(field: string, message: string): string {
  const rest = message.replace(`${field}:`, "").trim();
  return `${field.charAt(0).toUpperCase()}${field.slice(1)} ${rest}`;
}

/** What went wrong, and what to do about it. */
export function Problem({ error }: { error: unknown }) {
  const { message, detail, field } = asApiError(error);
  return (
    <p role="alert" className="text-sm text-bad">
      {field ? sentence(field, message) : message} {detail}
    </p>
  );
}

interface TextProps {
  label: string;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
  type?: "text" | "email" | "password";
  autoComplete: string;
  autoFocus?: boolean;
}

export function TextInput({ label, hint, onChange, ...props }: TextProps) {
  return (
    <Labelled label={label} {...(hint && { hint })}>
      {(id, hintId) => (
        <Field
          id={id}
          required
          {...(hint && { "aria-describedby": hintId })}
          onChange={(event) => onChange(event.target.value)}
          {...props}
        />
      )}
    </Labelled>
  );
}

export const PASSWORD_HINT = "At least 10 characters, not easy to guess: four unrelated words, for example.";
