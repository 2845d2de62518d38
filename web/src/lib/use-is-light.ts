import { useTheme } from "@/lib/theme-store";
import { useMedia } from "@/lib/use-media";

/** Whether the page is light at the moment, by the person's choice or by their system. */
export function useIsLight(): boolean {
  const theme = useTheme((state) => state.theme);
  const systemLight = useMedia("(prefers-color-scheme: light)");
  return theme === "light" || (theme === "system" && systemLight);
}
