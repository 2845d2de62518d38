import { useSyncExternalStore } from "react";

/** True while the media query holds. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = matchMedia(query);
      media.addEventListener("change", onChange);
      return () => media.removeEventListener("change", onChange);
    },
    () => matchMedia(query).matches,
  );
}

/** Wide enough for the sidebar to stand beside the page. */
export const useDesktop = () => useMedia("(min-width: 1024px)");
/** Wide enough for two panels side by side. */
export const useTwoPanels = () => useMedia("(min-width: 700px)");
