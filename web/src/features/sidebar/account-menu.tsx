/** Who uses Parley, at the foot of the sidebar; in personal mode that is you. */

import { ChevronsUpDown, User } from "lucide-react";
import { lazyPart } from "@/components/lazy-part";
import { STRINGS } from "@/features/sidebar/strings";
import { cn } from "@/lib/cn";
import { Button } from "@/ui/button";
import { Menu, MenuContent, MenuTrigger } from "@/ui/menu";
import { Skeleton } from "@/ui/skeleton";

const AccountItems = lazyPart(
  () => import("@/features/sidebar/account-items").then((part) => part.AccountItems),
  <Skeleton className="m-1 h-56" />,
);

interface AccountMenuProps {
  onShortcuts: () => void;
  /** Only the picture, in the rail. */
  slim?: boolean;
}

export function AccountMenu({ onShortcuts, slim = false }: AccountMenuProps) {
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <Button
          variant="quiet"
          size={slim ? "icon" : "md"}
          aria-label={STRINGS.account}
          className={cn(!slim && "h-10 w-full px-2", "data-[state=open]:bg-raised")}
        >
          <span className="flex size-6 shrink-0 items-center justify-center rounded-full bg-raised">
            <User aria-hidden="true" />
          </span>
          {!slim && (
            <>
              {STRINGS.you}
              <ChevronsUpDown aria-hidden="true" className="ml-auto size-3.5! text-ink-3" />
            </>
          )}
        </Button>
      </MenuTrigger>
      <MenuContent align="start" side={slim ? "right" : "top"} className="w-60">
        <AccountItems onShortcuts={onShortcuts} />
      </MenuContent>
    </Menu>
  );
}
