/** The collapsed sidebar: its views and account as icons. */

import { Link } from "@tanstack/react-router";
import { PanelLeft, Plus } from "lucide-react";
import { Logo } from "@/components/logo";
import { AccountMenu } from "@/features/sidebar/account-menu";
import type { SidebarProps } from "@/features/sidebar/sidebar";
import { Views } from "@/features/sidebar/views";
import { IconButton } from "@/ui/icon-button";

export function Rail({ onNew, onCollapse, onShortcuts }: SidebarProps) {
  return (
    <div className="flex h-full flex-col items-center gap-2 py-3">
      <Link
        to="/"
        search={{}}
        aria-label="Parley"
        className="flex size-8 items-center justify-center rounded-sm"
      >
        <Logo />
      </Link>
      <IconButton label="Open sidebar" side="right" onClick={onCollapse}>
        <PanelLeft />
      </IconButton>
      <IconButton label="New" side="right" variant="outline" onClick={onNew}>
        <Plus />
      </IconButton>
      <Views slim />
      <span className="flex-1" />
      <AccountMenu onShortcuts={onShortcuts} slim />
    </div>
  );
}
