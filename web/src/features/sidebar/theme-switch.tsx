import { Monitor, Moon, Sun } from "lucide-react";
import { type Theme, useTheme } from "@/lib/theme-store";
import { IconButton } from "@/ui/icon-button";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/ui/menu";

const themes: { value: Theme; label: string; icon: typeof Sun }[] = [
  { value: "system", label: "Like the system", icon: Monitor },
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
];

export function ThemeSwitch() {
  const { theme, setTheme } = useTheme();
  const Icon = themes.find((each) => each.value === theme)?.icon ?? Monitor;
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <IconButton label="Theme" side="top">
          <Icon />
        </IconButton>
      </MenuTrigger>
      <MenuContent align="end" side="top">
        {themes.map(({ value, label, icon: ItemIcon }) => (
          <MenuItem
            key={value}
            onSelect={() => setTheme(value)}
            className={value === theme ? "text-ink" : undefined}
          >
            <ItemIcon aria-hidden="true" />
            {label}
            {value === theme && <span className="ml-auto text-accent">●</span>}
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  );
}
