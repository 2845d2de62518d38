import type { StyleEffect } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { IntervalBar } from "@/features/standings/interval-bar";
import { formatSigned } from "@/lib/format";
import { scaleOver } from "@/lib/scale";

const NAMES: Record<string, string> = {
  tokens: "Length",
  headers: "Headings",
  lists: "List items",
  bold: "Bold passages",
  left: "Left side",
};

/** What features of style are worth in points, whoever writes them. */
export function StyleCard({ effects }: { effects: readonly StyleEffect[] }) {
  const scale = scaleOver([0, ...effects.flatMap((effect) => [effect.ci_lower, effect.ci_upper])]);
  return (
    <Panel title="Effect of style" className="basis-full">
      <p className="mb-3 text-ink-2">
        Points gained per standard deviation of each feature, and for the left side. The scores above are
        adjusted for them.
      </p>
      <ul className="grid max-w-read gap-2">
        {effects.map((effect) => (
          <li key={effect.feature} className="grid grid-cols-[110px_1fr_150px] items-center gap-3 text-sm">
            <span className="truncate">{NAMES[effect.feature] ?? effect.feature}</span>
            <IntervalBar
              rating={effect.points}
              lower={effect.ci_lower}
              upper={effect.ci_upper}
              scale={scale}
              color="var(--accent)"
            />
            <span className="num text-right">
              <b className="font-semibold">{formatSigned(effect.points)}</b>{" "}
              <span className="text-xs text-ink-3">
                {formatSigned(effect.ci_lower)} to {formatSigned(effect.ci_upper)}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
