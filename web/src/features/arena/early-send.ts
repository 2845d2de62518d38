/** Sends what was sent too early once it can be, if nothing else was typed meanwhile. */

import { useEffect, useState } from "react";

/** Return a function that sends the draft: at once where it can be, or when what is on its way has come. */
export function useEarlySend(
  draft: string,
  canSend: boolean,
  loading: boolean,
  onSend: (text: string) => void,
) {
  const [early, setEarly] = useState<string | null>(null);
  useEffect(() => {
    if (early === null || (loading && draft === early)) return;
    setEarly(null);
    if (draft === early && canSend) onSend(draft.trim());
  });
  return () => {
    if (canSend) onSend(draft.trim());
    else if (loading) setEarly(draft);
  };
}
