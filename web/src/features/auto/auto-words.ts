/** The words of Auto. Pure. */
import type { AutoReplay, Decision } from "@/features/auto/auto-api";
import { formatCost, formatPercent } from "@/lib/format";

/** Stands for a model where Auto chooses one. */
export const AUTO = "auto";

/** Why a model was chosen, in sentences. */
export function reasonOf({ because, options, target, confidence }: Decision): string {
  const [need = "", can = "", ...more] = because;
  const cost = options.find(({ model }) => model === target)?.cost_micros;
  const about = cost ? [`about ${formatCost(cost)}`] : [];
  const sure = `${formatPercent(confidence)} sure`;
  return `${[need, can, ...more].map(sentence).join(" ")} ${sentence([...about, sure].join(", "))}`;
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** What a replay shows, in one sentence: the numbers first, and no claim that they do not bear. */
export function verdictOf({ better, best, win_rate, win_low, win_high }: AutoReplay): string {
  if (win_rate === null || win_low === null || win_high === null || best === null) {
    return "No ratings yet, so nothing can be said about quality. Vote in a few battles first.";
  }
  const range = `${formatPercent(win_rate)} (95% interval ${formatPercent(win_low)} to ${formatPercent(win_high)})`;
  if (better)
    return `Expected to win against ${best}, the best single model, in ${range} of these questions.`;
  return `Auto does not beat ${best}, the best single model: its expected win rate is ${range}. It may still save money.`;
}
