/** The words of Auto. Pure. */
import type { AutoPolicy, AutoRecord, AutoReplay, Decision } from "@/features/auto/auto-api";
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

type Presets = NonNullable<AutoPolicy["presets"]>;

/** The kinds of each preset, with one more or one less; a preset without any is left out. */
export function withKind(
  presets: Presets,
  id: string,
  kind: Presets[string][number],
  isOn: boolean,
): Presets {
  const { [id]: before = [], ...others } = presets;
  const kinds = [...before.filter((each) => each !== kind), ...(isOn ? [kind] : [])];
  return kinds.length > 0 ? { ...others, [id]: kinds } : others;
}

/** What was learned, and what it is worth: how many choices were foretold without having been seen. */
export function learningOf({
  choices,
  foretold,
  confirmed,
  confirmed_foretold,
  used,
}: AutoRecord["learning"]): string {
  if (choices === 0) return "Nothing yet. Press “Use another” beside an answer, and Auto learns from it.";
  const many = choices === 1 ? "1 choice" : `${choices} choices`;
  if (choices < 3) return `${many} of yours. It takes three before they count.`;
  const others = confirmed > 0 ? `, and ${confirmed_foretold} of ${confirmed} that you kept` : "";
  const tried = `Tried on each without having seen it, Auto foretells ${foretold} of ${many} of yours${others}.`;
  return `${tried} ${used ? "So they count, with at most 100 points for a model." : "That is too few, so they don’t count."}`;
}

/** Where questions went, in one line. */
export function routesOf({ tool_work, arena, other, days }: AutoRecord): string {
  const all = tool_work + arena + other;
  if (all === 0) return `No question was left to Auto in the last ${days} days.`;
  const share = (part: number) => `${part} (${formatPercent(part / all)})`;
  return `Of ${all} questions in the last ${days} days: tool work and data ${share(tool_work)}, blind battles ${share(arena)}, other chats ${share(other)}.`;
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
