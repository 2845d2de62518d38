/** Whether those who would be asked can see pictures, and read so much at once. Pure. */

import { isPicture } from "@/api/attachments";
import type { MatchRecord, ModelCard, TurnView } from "@/api/types";
import type { Choosing, Plan } from "@/features/arena/mode-feature";

/** Why a picture cannot go out, in few words and with advice, and the models that cannot see it. */
export interface Unseen {
  why: string;
  hint: string;
  models: string[];
}

/** What stands against files where the mode takes none. */
export const unreadBy = ({ info }: Choosing, files: number): Unseen | null =>
  info && !info.takes_files && files > 0
    ? { why: `${info.title} doesn’t take files`, hint: "Remove them, or choose another mode.", models: [] }
    : null;

/** What stands against the pictures of a question, and of the conversation that it carries on; null where nothing does. */
export function unseenBy(situation: Choosing, plan: Plan, fresh: boolean): Unseen | null {
  const { record, models, info } = situation;
  if (plan.kind === "wait" || !models || !info) return null;
  const blind = plan.kind === "turn" && record?.match.blind;
  if (blind) {
    const late = fresh && record.turns[0] && !hasPicture(record.turns[0]);
    return late
      ? {
          why: "This battle started without a picture",
          hint: "Its models may not be able to read one. Start a new battle, or remove the picture.",
          models: [],
        }
      : null;
  }
  if (!fresh && !(goesOn(plan) && record?.turns.some(hasPicture))) return null;
  if (fresh && info.seating.groups.some(({ draw }) => draw === "drawn")) {
    const seeing = models.filter((model) => model.enabled && sees(model));
    return seeing.length < 2
      ? {
          why: "A battle with a picture needs two models that read pictures",
          hint: "Add models with the capability “vision”, or remove the picture.",
          models: [],
        }
      : null;
  }
  const asked = new Set(askedBy(plan, record));
  const blinded = models.filter((model) => asked.has(model.id) && !sees(model));
  if (blinded.length === 0) return null;
  return {
    why: `${listed(blinded.map(({ name }) => name))} can’t read pictures`,
    hint: fresh
      ? "Remove the picture, or choose a model that reads pictures."
      : "This conversation has a picture. Choose a model that reads pictures, or start a new session.",
    models: blinded.map(({ id }) => id),
  };
}

/**
 * The models that can't read so many tokens at once, with how many they can; none while a battle hides them. Models
 * with tools ask the `tables` among them instead of reading them.
 */
export function overfilled(
  { record, models, info }: Choosing,
  plan: Plan,
  tokens: number,
  tables = 0,
): ModelCard[] {
  const drawn = info?.seating.groups.some(({ draw }) => draw === "drawn");
  if (plan.kind === "wait" || !models || drawn) return [];
  const asked = new Set(askedBy(plan, record));
  const read = ({ capabilities }: ModelCard) => tokens - (capabilities.includes("tools") ? tables : 0);
  return models.filter((model) => asked.has(model.id) && read(model) > (model.context_window ?? Infinity));
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
  [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");
