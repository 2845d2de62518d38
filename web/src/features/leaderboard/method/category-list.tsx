import { Link } from "@tanstack/react-router";
import type { CategoryCard } from "@/api/standings-types";
import { counted } from "@/lib/format";

/** Every category with what is in it. */
export function CategoryList({ categories }: { categories: readonly CategoryCard[] }) {
  return (
    <ul className="mt-3 grid gap-x-6 gap-y-1.5 border-t border-line pt-3 text-sm sm:grid-cols-2">
      {categories.map((category) => (
        <li key={category.id} className="min-w-0">
          <p className="flex items-baseline gap-2">
            <Link
              to="/leaderboard/$category"
              params={{ category: category.id }}
              className="truncate rounded-xs font-medium hover:underline"
            >
              {category.title}
            </Link>
            <span className="num shrink-0 text-xs text-ink-3">{counted(category.votes, "vote")}</span>
          </p>
          <p className="text-xs text-ink-3">{category.description}</p>
        </li>
      ))}
    </ul>
  );
}
