import { Fragment } from "react";
import { modKey } from "@/components/page-header";
import { Dialog } from "@/ui/dialog";
import { Kbd } from "@/ui/kbd";

const GROUPS: { title: string; keys: [string[], string][] }[] = [
  {
    title: "Everywhere",
    keys: [
      [[modKey("K")], "Command palette"],
      [["N"], "New session; after a vote, a new battle"],
      [["/"], "Write a message; on the leaderboard, search"],
      [["L"], "Leaderboard"],
      [[modKey("B")], "Show or hide the sidebar"],
      [["?"], "These shortcuts"],
    ],
  },
  {
    title: "Message",
    keys: [
      [["Enter"], "Send"],
      [["Shift Enter"], "New line"],
      [["Esc"], "Stop the answers"],
    ],
  },
  {
    title: "Vote, outside of text and scrolling areas",
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
      [["↑", "↓"], "From model to model"],
      [["Enter"], "Open its page"],
      [["C"], "Compare the two that are ticked"],
    ],
  },
  {
    title: "Replay",
    keys: [
      [["Space"], "Play or pause"],
      [["←", "→"], "Back and forth"],
    ],
  },
];

export function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Keyboard shortcuts"
      titled
      className="w-[min(440px,calc(100vw-24px))]"
    >
      <div className="flex max-h-[68vh] flex-col gap-4 overflow-y-auto px-5 pt-3 pb-5">
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
      </div>
    </Dialog>
  );
}
