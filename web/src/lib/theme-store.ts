import { create } from "zustand";
import { persist } from "zustand/middleware";

export type Theme = "system" | "light" | "dark";

interface ThemeStore {
  theme: Theme;
  setTheme: (theme: Theme) => void;
}

/** The person's choice; `public/theme.js` reads the same key before the first paint. */
export const useTheme = create<ThemeStore>()(
  persist((set) => ({ theme: "system", setTheme: (theme) => set({ theme }) }), { name: "parley.theme" }),
);

const light = matchMedia("(prefers-color-scheme: light)");

function apply(): void {
  const { theme } = useTheme.getState();
  const isLight = theme === "light" || (theme === "system" && light.matches);
  document.documentElement.classList.toggle("light", isLight);
  const page = getComputedStyle(document.documentElement).getPropertyValue("--page");
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", page.trim());
}

/** Keep the document in step with the choice and with the system. */
export function watchTheme(): void {
  useTheme.subscribe(apply);
  light.addEventListener("change", apply);
  apply();
}
