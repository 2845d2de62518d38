/** The categories: the first few in sight, the others in a menu. */

import { Link } from "@tanstack/react-router";
import { Check, ChevronDown } from "lucide-react";
import { Fragment } from "react";
import type { CategoryCard } from "@/api/standings-types";
import type { BoardSearch } from "@/features/leaderboard/board-search";
import { STRINGS } from "@/features/leaderboard/strings";
import { cn } from "@/lib/cn";
import { formatCount } from "@/lib/format";
import { Menu, MenuContent, MenuItem, MenuLabel, MenuTrigger } from "@/ui/menu";

interface CategorySwitchProps {
  categories: readonly CategoryCard[];
  current: string;
  search: BoardSearch;
  /** How many of them are in sight. */
  space: number;
}

const PILL =
  "inline-flex h-7 touch:h-11 items-center gap-1.5 rounded-[7px] px-[11px] text-sm font-medium whitespace-nowrap text-ink-2 transition-colors hover:text-ink";
const CHOSEN = "bg-raised text-ink shadow-[0_0_0_1px_var(--line-strong)]";

const GROUPS: { kind: CategoryCard["kind"]; title: string }[] = [
  { kind: "topic", title: STRINGS.topics },
  { kind: "language", title: STRINGS.languages },
  { kind: "operator", title: STRINGS.custom },
];

export function CategorySwitch({ categories, current, search, space }: CategorySwitchProps) {
  const shown = firstOf(categories, current, space);
  const rest = categories.filter((category) => !shown.includes(category));
  return (
    <nav
      aria-label={STRINGS.category}
      className="inline-flex max-w-full rounded-[9px] border border-line bg-surface p-0.5"
    >
      {shown.map((category) => (
        <Link
          key={category.id}
          to="/leaderboard/$category"
          params={{ category: category.id }}
          search={search}
          title={category.description}
          aria-current={category.id === current ? "page" : undefined}
          className={cn(PILL, category.id === current && CHOSEN)}
        >
          {category.title}
        </Link>
      ))}
      {rest.length > 0 && (
        <Menu>
          <MenuTrigger className={cn(PILL, "data-[state=open]:text-ink")}>
            {STRINGS.more}
            <ChevronDown aria-hidden="true" className="size-3.5" />
          </MenuTrigger>
          <MenuContent align="start" className="max-h-[min(440px,70vh)] w-64 overflow-y-auto">
            <Items categories={rest.filter((each) => each.kind === "overall")} {...{ current, search }} />
            {GROUPS.map(({ kind, title }) => {
              const found = rest.filter((category) => category.kind === kind);
              return (
                found.length > 0 && (
                  <Fragment key={kind}>
                    <MenuLabel>{title}</MenuLabel>
                    <Items categories={found} {...{ current, search }} />
                  </Fragment>
                )
              );
            })}
          </MenuContent>
        </Menu>
      )}
    </nav>
  );
}

function Items({ categories, current, search }: Omit<CategorySwitchProps, "space">) {
  return categories.map((category) => (
    <MenuItem key={category.id} asChild>
      <Link
        to="/leaderboard/$category"
        params={{ category: category.id }}
        search={search}
        title={category.description}
      >
        <span className="min-w-0 flex-1 truncate">{category.title}</span>
        {category.id === current && <Check aria-hidden="true" className="text-accent" />}
        <span className="num text-xs text-ink-3">{formatCount(category.votes)}</span>
      </Link>
    </MenuItem>
  ));
}

/** The first few, with the current one always among them. */
function firstOf(categories: readonly CategoryCard[], current: string, space: number): CategoryCard[] {
  const first = categories.filter((each) => each.kind !== "language").slice(0, space);
  const chosen = categories.find((category) => category.id === current);
  return chosen && !first.includes(chosen) ? [...first.slice(0, space - 1), chosen] : first;
}
