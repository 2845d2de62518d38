/** The table's category, chosen from a menu of all of them. */

import { Link } from "@tanstack/react-router";
import { Check, ChevronDown } from "lucide-react";
import { Fragment } from "react";
import type { CategoryCard } from "@/api/standings-types";
import type { BoardSearch } from "@/features/leaderboard/board-search";
import { formatCount } from "@/lib/format";
import { Button } from "@/ui/button";
import { Menu, MenuContent, MenuItem, MenuLabel, MenuTrigger } from "@/ui/menu";

interface CategorySwitchProps {
  categories: readonly CategoryCard[];
  current: string;
  search: BoardSearch;
}

const GROUPS: { kind: CategoryCard["kind"]; title: string }[] = [
  { kind: "topic", title: "Topics" },
  { kind: "language", title: "Languages" },
  { kind: "operator", title: "Custom" },
];

export function CategorySwitch({ categories, current, search }: CategorySwitchProps) {
  const title = categories.find((category) => category.id === current)?.title ?? current;
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button className="max-w-56 min-w-0">
          <span className="font-normal text-ink-2 max-sm:sr-only">Category</span>
          <span className="truncate">{title}</span>
          <ChevronDown aria-hidden="true" className="-mr-1 text-ink-3" />
        </Button>
      </MenuTrigger>
      <MenuContent align="start" className="max-h-[min(440px,70vh)] w-64 overflow-y-auto">
        <Items categories={categories.filter((each) => each.kind === "overall")} {...{ current, search }} />
        {GROUPS.map(({ kind, title }) => {
          const group = categories.filter((category) => category.kind === kind);
          return (
            group.length > 0 && (
              <Fragment key={kind}>
                <MenuLabel>{title}</MenuLabel>
                <Items categories={group} {...{ current, search }} />
              </Fragment>
            )
          );
        })}
      </MenuContent>
    </Menu>
  );
}

function Items({ categories, current, search }: CategorySwitchProps) {
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
