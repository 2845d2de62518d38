/** The frame of a form about a limit: what went wrong stands above its button. */
import type { ReactNode } from "react";
import { asApiError } from "@/api/problem";
import { Button } from "@/ui/button";

interface LimitFormProps {
  submit: string;
  busy: boolean;
  ready: boolean;
  error: unknown;
  onSubmit: () => void;
  children: ReactNode;
}

export function LimitForm({ submit, busy, ready, error, onSubmit, children }: LimitFormProps) {
  return (
    <form
      className="flex flex-col gap-4 px-5 pt-4 pb-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready && !busy) onSubmit();
      }}
    >
      {children}
      {error !== null && (
        <p role="alert" className="text-sm text-bad">
          {asApiError(error).message} {asApiError(error).detail}
        </p>
      )}
      <Button type="submit" variant="primary" className="self-end" disabled={busy || !ready}>
        {submit}
      </Button>
    </form>
  );
}
