/** What each key does, group by group. */

import { Fragment } from "react";
import { inGroups, useAreas } from "@/components/join-areas";
import { Kbd } from "@/ui/kbd";

export function ShortcutList() {
  const shortcuts = useAreas().useShortcuts() ?? [];
  return [...inGroups(shortcuts)].map(([title = "Outside text fields", lines]) => (
    <section key={title} aria-label={title}>
      <h3 className="pb-1 text-xs text-ink-3">{title}</h3>
      <dl className="grid grid-cols-[1fr_auto] items-center gap-y-1.5 text-sm">
        {lines.map(({ keys, does }) => (
          <Fragment key={does}>
            <dt className="text-ink-2">{does}</dt>
            <dd className="flex justify-end gap-1.5">
              <span className="sr-only">{keys.join(" or ")}</span>
              {keys.map((key) => (
                <Kbd key={key} className="pointer-coarse:inline-flex">
                  {key}
                </Kbd>
              ))}
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  ));
}
