import { Monitor, Moon, Sun } from "lucide-react";
import { LAZY_STRINGS } from "@/components/lazy-strings";
import type { Theme } from "@/lib/theme-store";

export const THEMES: { value: Theme; label: string; icon: typeof Sun }[] = [
  { value: "system", label: LAZY_STRINGS.themeSystem, icon: Monitor },
  { value: "light", label: LAZY_STRINGS.themeLight, icon: Sun },
  { value: "dark", label: LAZY_STRINGS.themeDark, icon: Moon },
];
