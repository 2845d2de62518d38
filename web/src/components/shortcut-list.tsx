/** What each key does, group by group. */
import { Fragment } from "react";
import { modKey } from "@/components/page-header";
import { Kbd } from "@/ui/kbd";

const GROUPS: { title: string; keys: [string[], string][] }[] = [
  {
    title: "Everywhere",
    keys: [
      [[modKey("K")], "Command palette"],
      [[modKey("B")], "Toggle sidebar"],
    ],
  },
  {
    title: "Outside text fields",
    keys: [
      [["N"], "New session, or new battle after a vote"],
      [["/"], "Write a message, or search on the leaderboard"],
      [["L"], "Leaderboard"],
      [["?"], "Keyboard shortcuts"],
    ],
  },
  {
    title: "Message",
    keys: [
      [["Enter"], "Send"],
      [["Shift Enter"], "New line"],
      [["Esc"], "Stop answers"],
    ],
  },
  {
    title: "Vote (press Shift Tab from the message first)",
    keys: [
      [["1", "←"], "A is better"],
      [["2"], "Tie"],
      [["3"], "Both are bad"],
      [["4", "→"], "B is better"],
    ],
  },
  {
    title: "Leaderboard",
    keys: [
      [["↑", "↓"], "Move between models"],
      [["Enter"], "Open model"],
      [["C"], "Compare selected models"],
    ],
  },
  {
    title: "Replay",
    keys: [
      [["Space"], "Play or pause"],
      [["←", "→"], "Skip back or forward"],
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
                  <span className="sr-only">{keys.join(" or ")}</span>
                  {keys.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
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
