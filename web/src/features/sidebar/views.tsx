/** The views of the page, with their names or as a rail of icons. */

import { Link, useRouterState } from "@tanstack/react-router";
import type { NavItem } from "@/components/area";
import { useAreas } from "@/components/join-areas";
import { cn } from "@/lib/cn";
import { Button } from "@/ui/button";
import { tooltip } from "@/ui/tooltip";

export function Views({ slim = false }: { slim?: boolean }) {
  const views = useAreas().nav.filter((item) => !item.menu);
  return (
    <nav aria-label="Views" className={cn("flex flex-col gap-0.5", slim && "items-center")}>
      {views.map((view) => (
        <ViewLink key={view.label} {...view} slim={slim} />
      ))}
    </nav>
  );
}

function ViewLink({ label, icon: Icon, link, under, slim }: NavItem & { slim: boolean }) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const here = under?.test(path) ?? false;
  return (
    <Button
      asChild
      variant="quiet"
      size={slim ? "icon" : "md"}
      className={cn(!slim && "w-full gap-2.5 px-2", here && "bg-raised text-ink")}
      {...(slim && tooltip(label, "right"))}
    >
      <Link {...link} aria-current={here ? "page" : undefined}>
        <Icon aria-hidden="true" />
        <span className={slim ? "sr-only" : undefined}>{label}</span>
      </Link>
    </Button>
  );
}
