import { Monitor, Moon, Sun } from "lucide-react";
import type { Theme } from "@/lib/theme-store";

export const THEMES: { value: Theme; label: string; icon: typeof Sun }[] = [
  { value: "system", label: "System", icon: Monitor },
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
];
