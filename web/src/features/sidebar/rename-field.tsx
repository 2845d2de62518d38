/** Renames a session in place: Enter or leaving the field saves, Escape does not. */

import { useRef } from "react";
import type { SessionCard } from "@/api/types";
import { useSessionActions } from "@/features/sidebar/use-session-actions";

export function RenameField({ session, onDone }: { session: SessionCard; onDone: () => void }) {
  const { rename } = useSessionActions(session);
  const done = useRef(false);
  const finish = (value: string | null) => {
    if (done.current) return;
    done.current = true;
    onDone();
    const title = value?.trim();
    if (title && title !== session.title) rename(title);
  };
  return (
    <input
      ref={(input) => {
        if (input && document.activeElement !== input) setTimeout(() => input.select(), 0);
      }}
      aria-label="Title"
      defaultValue={session.title}
      maxLength={200}
      className="focus-inset h-8 w-full rounded-sm border border-accent bg-page px-2 text-base"
      onBlur={(event) => finish(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") finish(event.currentTarget.value);
        if (event.key === "Escape") finish(null);
      }}
    />
  );
}
