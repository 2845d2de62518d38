/** Whether those who would be asked can see pictures, and read so much at once. Pure. */

import type { MatchRecord, ModelCard, TurnView } from "@/api/types";
import { LAZY_STRINGS } from "@/features/arena/attachments/lazy-strings";
import type { Choosing, Plan } from "@/features/arena/mode-feature";

/** Why a picture cannot go out, in few words and with advice, and the models that cannot see it. */
export interface Unseen {
  why: string;
  hint: string;
  models: string[];
}

export const isPicture = (file: { text_sha256: string | null }) => file.text_sha256 === null;

/** What stands against files where the mode takes none. */
export const unreadBy = ({ info }: Choosing, files: number): Unseen | null =>
  info && !info.takes_files && files > 0
    ? { why: LAZY_STRINGS.noFiles(info.title), hint: LAZY_STRINGS.noFilesHint, models: [] }
    : null;

/** What stands against the pictures of a question, and of the conversation that it carries on; null where nothing does. */
export function unseenBy(situation: Choosing, plan: Plan, fresh: boolean): Unseen | null {
  const { record, models, info } = situation;
  if (plan.kind === "wait" || !models || !info) return null;
  const blind = plan.kind === "turn" && record?.match.blind;
  if (blind) {
    const late = fresh && record.turns[0] && !hasPicture(record.turns[0]);
    return late ? { why: LAZY_STRINGS.tooLate, hint: LAZY_STRINGS.tooLateHint, models: [] } : null;
  }
  if (!fresh && !(goesOn(plan) && record?.turns.some(hasPicture))) return null;
  if (fresh && info.seating.groups.some(({ draw }) => draw === "drawn")) {
    const seeing = models.filter((model) => model.enabled && sees(model));
    return seeing.length < 2
      ? { why: LAZY_STRINGS.needTwo, hint: LAZY_STRINGS.needTwoHint, models: [] }
      : null;
  }
  const asked = new Set(askedBy(plan, record));
  const blinded = models.filter((model) => asked.has(model.id) && !sees(model));
  if (blinded.length === 0) return null;
  return {
    why: LAZY_STRINGS.cannotSee(listed(blinded.map(({ name }) => name))),
    hint: fresh ? LAZY_STRINGS.cannotSeeHint : LAZY_STRINGS.cannotSeeEarlier,
    models: blinded.map(({ id }) => id),
  };
}

/** The models that can't read so many tokens at once, with how many they can; none while a battle hides them. */
export function overfilled({ record, models, info }: Choosing, plan: Plan, tokens: number): ModelCard[] {
  const drawn = info?.seating.groups.some(({ draw }) => draw === "drawn");
  if (plan.kind === "wait" || !models || drawn) return [];
  const asked = new Set(askedBy(plan, record));
  return models.filter(({ id, context_window }) => asked.has(id) && tokens > (context_window ?? Infinity));
}

const sees = (model: ModelCard) => model.capabilities.includes("vision");

const hasPicture = ({ input }: TurnView) => input.type === "prompt" && input.attachments.some(isPicture);

const goesOn = (plan: Plan) =>
  plan.kind === "turn" || (plan.kind === "match" && Boolean(plan.continue_from ?? plan.continue_seats));

/** The models that the next prompt goes to. */
function askedBy(plan: Exclude<Plan, { kind: "wait" }>, record: MatchRecord | null): string[] {
  if (plan.kind === "match") return Object.values(plan.seats ?? {});
  const stay = (record?.match.seats ?? []).filter(
    ({ name, until_turn }) => until_turn === null && !plan.seats?.leave?.includes(name),
  );
  return [...stay.flatMap(({ model }) => (model ? [model.id] : [])), ...Object.values(plan.seats?.add ?? {})];
}

const listed = (names: string[]) =>
  [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(LAZY_STRINGS.and);
