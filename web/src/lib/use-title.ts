import { useEffect } from "react";

/** Name the document after the page. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
}
