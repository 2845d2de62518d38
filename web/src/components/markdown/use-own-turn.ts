/** A text that is written is rendered in frames of its own, so that many at once share the page's time. */
import { startTransition, useEffect, useRef, useState } from "react";
import { inOwnFrame, withdraw } from "@/lib/own-frame";

/** The text as of its last frame while it is written; as it is once it is done. */
export function useOwnTurn(text: string, writing: boolean): string {
  const [shown, setShown] = useState(text);
  const latest = useRef(text);
  latest.current = text;
  const [take] = useState(() => () => startTransition(() => setShown(latest.current)));
  useEffect(() => {
    if (writing && text !== shown) inOwnFrame(take);
  }, [text, shown, writing, take]);
  useEffect(() => () => withdraw(take), [take]);
  return writing ? shown : text;
}
