import { useNavigate } from "@tanstack/react-router";
import { Info, Keyboard, Settings } from "lucide-react";
import { THEMES } from "@/components/themes";
import { LAZY_STRINGS } from "@/features/sidebar/lazy-strings";
import { type Theme, useTheme } from "@/lib/theme-store";
import { MenuChoice, MenuChoices, MenuItem, MenuLabel, MenuSeparator } from "@/ui/menu";

export function AccountItems({ onShortcuts }: { onShortcuts: () => void }) {
  const navigate = useNavigate();
  const { theme, setTheme } = useTheme();
  return (
    <>
      <MenuItem onSelect={() => navigate({ to: "/settings" })}>
        <Settings aria-hidden="true" />
        {LAZY_STRINGS.settings}
      </MenuItem>
      <MenuItem onSelect={onShortcuts}>
        <Keyboard aria-hidden="true" />
        {LAZY_STRINGS.shortcuts}
        <span aria-hidden="true" className="ml-auto font-mono text-xs text-ink-3">
          ?
        </span>
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>{LAZY_STRINGS.theme}</MenuLabel>
      <MenuChoices value={theme} onValueChange={(next) => setTheme(next as Theme)}>
        {THEMES.map(({ value, label, icon: Icon }) => (
          <MenuChoice key={value} value={value}>
            <Icon aria-hidden="true" className="size-[15px]" />
            {label}
          </MenuChoice>
        ))}
      </MenuChoices>
      <MenuSeparator />
      <MenuItem onSelect={() => navigate({ to: "/settings", hash: "about" })}>
        <Info aria-hidden="true" />
        {LAZY_STRINGS.about}
      </MenuItem>
    </>
  );
}
