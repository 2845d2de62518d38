/** The views of the page, with their names or as a rail of icons. */

import { Link, type LinkProps, useRouterState } from "@tanstack/react-router";
import { BarChart3, Boxes, Columns2, ListChecks, type LucideIcon } from "lucide-react";
import { STRINGS } from "@/features/sidebar/strings";
import { cn } from "@/lib/cn";
import { Button } from "@/ui/button";
import { tooltip } from "@/ui/tooltip";

interface View {
  name: string;
  icon: LucideIcon;
  link: LinkProps;
  /** The addresses that belong to it. */
  under: RegExp;
}

const VIEWS: View[] = [
  { name: STRINGS.arena, icon: Columns2, link: { to: "/", search: {} }, under: /^\/(s\/|$)/ },
  {
    name: STRINGS.leaderboard,
    icon: BarChart3,
    link: { to: "/leaderboard/$category", params: { category: "overall" } },
    under: /^\/(leaderboard|head-to-head)/,
  },
  { name: STRINGS.votes, icon: ListChecks, link: { to: "/votes" }, under: /^\/votes/ },
  { name: STRINGS.models, icon: Boxes, link: { to: "/models" }, under: /^\/models/ },
];

export function Views({ slim = false }: { slim?: boolean }) {
  return (
    <nav aria-label={STRINGS.views} className={cn("flex flex-col gap-0.5", slim && "items-center")}>
      {VIEWS.map((view) => (
        <ViewLink key={view.name} {...view} slim={slim} />
      ))}
    </nav>
  );
}

function ViewLink({ name, icon: Icon, link, under, slim }: View & { slim: boolean }) {
  const here = under.test(useRouterState({ select: (state) => state.location.pathname }));
  return (
    <Button
      asChild
      variant="quiet"
      size={slim ? "icon" : "md"}
      className={cn(!slim && "w-full gap-2.5 px-2", here && "bg-raised text-ink")}
      {...(slim && tooltip(name, "right"))}
    >
      <Link {...link} aria-current={here ? "page" : undefined}>
        <Icon aria-hidden="true" />
        <span className={slim ? "sr-only" : undefined}>{name}</span>
      </Link>
    </Button>
  );
}
