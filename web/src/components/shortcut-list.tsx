/** What each key does, group by group. */

import { Fragment } from "react";
import { LAZY_STRINGS } from "@/components/lazy-strings";
import { modKey } from "@/components/page-header";
import { Kbd } from "@/ui/kbd";

const GROUPS: { title: string; keys: [string[], string][] }[] = [
  {
    title: LAZY_STRINGS.everywhere,
    keys: [
      [[modKey("K")], LAZY_STRINGS.commandPalette],
      [[modKey("B")], LAZY_STRINGS.toggleSidebar],
    ],
  },
  {
    title: LAZY_STRINGS.outsideTextFields,
    keys: [
      [["N"], LAZY_STRINGS.newSession],
      [["/"], LAZY_STRINGS.writeOrSearch],
      [["L"], LAZY_STRINGS.leaderboard],
      [["?"], LAZY_STRINGS.shortcuts],
    ],
  },
  {
    title: LAZY_STRINGS.message,
    keys: [
      [["Enter"], LAZY_STRINGS.send],
      [["Shift Enter"], LAZY_STRINGS.newLine],
      [["Esc"], LAZY_STRINGS.stopAnswers],
    ],
  },
  {
    title: LAZY_STRINGS.vote,
    keys: [
      [["1", "←"], LAZY_STRINGS.aIsBetter],
      [["2"], LAZY_STRINGS.tie],
      [["3"], LAZY_STRINGS.bothBad],
      [["4", "→"], LAZY_STRINGS.bIsBetter],
    ],
  },
  {
    title: LAZY_STRINGS.leaderboard,
    keys: [
      [["↑", "↓"], LAZY_STRINGS.moveBetweenModels],
      [["Enter"], LAZY_STRINGS.openModel],
      [["C"], LAZY_STRINGS.compareModels],
    ],
  },
  {
    title: LAZY_STRINGS.replay,
    keys: [
      [["Space"], LAZY_STRINGS.playOrPause],
      [["←", "→"], LAZY_STRINGS.skip],
    ],
  },
];

export function ShortcutList() {
  return (
    <>
      {GROUPS.map((group) => (
        <section key={group.title} aria-label={group.title}>
          <h3 className="pb-1 text-xs text-ink-3">{group.title}</h3>
          <dl className="grid grid-cols-[1fr_auto] items-center gap-y-1.5 text-sm">
            {group.keys.map(([keys, what]) => (
              <Fragment key={what}>
                <dt className="text-ink-2">{what}</dt>
                <dd className="flex justify-end gap-1.5">
                  <span className="sr-only">{keys.join(LAZY_STRINGS.or)}</span>
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
      ))}
    </>
  );
}
