/** Files that are dropped anywhere on the page, or pasted into it. */
import { useEffect, useRef, useState } from "react";

/** Call back with such files; true while some are held over the page. */
export function useDropped(onFiles: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const take = useRef(onFiles);
  useEffect(() => {
    take.current = onFiles;
  });
  useEffect(() => {
    const gone = new AbortController();
    const on = <K extends keyof WindowEventMap>(kind: K, act: (event: WindowEventMap[K]) => void) =>
      window.addEventListener(kind, act, { signal: gone.signal });
    on("dragover", (event) => {
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      setOver(true);
    });
    // Leaving an element for another one is not leaving the page.
    on("dragleave", (event) => event.relatedTarget === null && setOver(false));
    on("drop", (event) => {
      setOver(false);
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      take.current([...(event.dataTransfer?.files ?? [])]);
    });
    on("paste", (event) => {
      const files = [...(event.clipboardData?.files ?? [])];
      const inComposer = (event.target as HTMLElement | null)?.closest?.("form:has([data-composer])");
      // Programs put a picture beside a text that was copied: then the text is meant.
      if (!inComposer || files.length === 0 || event.clipboardData?.types.includes("text/plain")) return;
      event.preventDefault();
      take.current(files);
    });
    return () => gone.abort();
  }, []);
  return over;
}

const hasFiles = (data: DataTransfer | null) => data?.types.includes("Files") ?? false;
