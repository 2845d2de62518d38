import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Keyboard, UserPlus } from "lucide-react";
import { meQuery } from "@/api/me";
import { aboutQuery } from "@/api/queries";
import type { NavItem } from "@/components/area";
import { useAreas } from "@/components/join-areas";
import { THEMES } from "@/components/themes";
import { SpaceChoices } from "@/features/accounts/space-choices";
import { type Theme, useTheme } from "@/lib/theme-store";
import { MenuChoice, MenuChoices, MenuItem, MenuLabel, MenuSeparator } from "@/ui/menu";

export function AccountItems({ onShortcuts }: { onShortcuts: () => void }) {
  const { theme, setTheme } = useTheme();
  const { data: about } = useQuery(aboutQuery);
  return (
    <>
      {about?.mode === "shared" && (
        <>
          <SpaceChoices />
          <CreateAccount />
        </>
      )}
      <NavItems at="top" />
      <MenuItem onSelect={onShortcuts}>
        <Keyboard aria-hidden="true" />
        Keyboard shortcuts
        <span aria-hidden="true" className="ml-auto font-mono text-xs text-ink-3">
          ?
        </span>
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
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

/** For guests, where everybody may make an account. */
function CreateAccount() {
  const { data: me } = useQuery(meQuery);
  if (me?.person?.role !== "guest" || !me.sign_in.sign_up) return null;
  return (
    <MenuItem asChild>
      <a href="/join">
        <UserPlus aria-hidden="true" />
        Create an account
      </a>
    </MenuItem>
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
