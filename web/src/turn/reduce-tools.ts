/** The tools that were called in a turn. */
import type { TurnEvent } from "@/api/events";
import type { ToolCallView } from "@/api/types";

export type ToolEvent = Extract<TurnEvent, { kind: "tool.called" | "tool.returned" }>;

/** Apply a tool's event; null if the call that has returned is unknown. */
export function reduceTools(calls: ToolCallView[], event: ToolEvent): ToolCallView[] | null {
  const known = calls.find(({ id, reply_id }) => id === event.call_id && reply_id === event.reply_id);
  if (event.kind === "tool.returned") {
    return known ? replaced(calls, known, { ...known, result: event.result }) : null;
  }
  if (known && event.attempt <= known.attempt) return calls;
  const { call_id: id, reply_id, round, attempt, name, arguments: text } = event;
  const fresh: ToolCallView = { id, reply_id, round, attempt, name, arguments: text, result: null };
  return known ? replaced(calls, known, fresh) : [...calls, fresh];
}

const replaced = (calls: ToolCallView[], known: ToolCallView, next: ToolCallView) =>
  calls.map((call) => (call === known ? next : call));
