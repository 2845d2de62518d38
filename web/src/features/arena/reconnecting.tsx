import { CloudOff } from "lucide-react";
import { useEffect, useState } from "react";

/** Quietly says that the connection is being sought; a blink of it is not worth a word. */
export function Reconnecting({ shown }: { shown: boolean }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!shown) return setLate(false);
    const timer = setTimeout(() => setLate(true), 800);
    return () => clearTimeout(timer);
  }, [shown]);
  if (!late) return null;
  return (
    <p role="status" className="flex animate-fade-in items-center justify-center gap-2 text-xs text-ink-2">
      <CloudOff aria-hidden="true" className="size-3.5" />
      Reconnecting… Text so far is saved.
    </p>
  );
}
