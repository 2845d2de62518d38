import { useNavigate } from "@tanstack/react-router";
import { Keyboard } from "lucide-react";
import type { NavItem } from "@/components/area";
import { useAreas } from "@/components/join-areas";
import { THEMES } from "@/components/themes";
import { LAZY_STRINGS } from "@/features/sidebar/lazy-strings";
import { type Theme, useTheme } from "@/lib/theme-store";
import { MenuChoice, MenuChoices, MenuItem, MenuLabel, MenuSeparator } from "@/ui/menu";

export function AccountItems({ onShortcuts }: { onShortcuts: () => void }) {
  const { theme, setTheme } = useTheme();
  return (
    <>
      <NavItems at="top" />
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
      <NavItems at="bottom" />
    </>
  );
}

function NavItems({ at }: { at: NavItem["menu"] }) {
  const navigate = useNavigate();
  const items = useAreas().nav.filter((item) => item.menu === at);
  return items.map(({ label, icon: Icon, link }) => (
    <MenuItem key={label} onSelect={() => navigate(link)}>
      <Icon aria-hidden="true" />
      {label}
    </MenuItem>
  ));
}
