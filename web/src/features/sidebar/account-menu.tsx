/** Who uses Parley, at the foot of the sidebar; in personal mode that is you. */

import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown, User } from "lucide-react";
import { meQuery, workspacesQuery } from "@/api/me";
import { aboutQuery } from "@/api/queries";
import { lazyPart } from "@/components/lazy-part";
import { cn } from "@/lib/cn";
import { currentSpace } from "@/lib/space";
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
  const { data: about } = useQuery(aboutQuery);
  const shared = about?.mode === "shared";
  const { data: me } = useQuery({ ...meQuery, enabled: shared });
  const { data: workspaces } = useQuery({ ...workspacesQuery, enabled: currentSpace() !== null });
  const name = (shared && me?.person?.name) || "You";
  const space = workspaces?.find(({ id }) => id === currentSpace());
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <Button
          variant="quiet"
          size={slim ? "icon" : "md"}
          aria-label={slim ? `Account: ${name}` : undefined}
          className={cn(!slim && "h-10 w-full px-2", "data-[state=open]:bg-raised")}
        >
          <span className="flex size-6 shrink-0 items-center justify-center rounded-full bg-raised">
            <User aria-hidden="true" />
          </span>
          {!slim && (
            <>
              <span className="min-w-0 text-left">
                <span className="block truncate">
                  <span className="sr-only">Account: </span>
                  {name}
                </span>
                {space && <span className="block truncate text-xs font-normal text-ink-3">{space.name}</span>}
              </span>
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
