/** What happens in a turn and in a session, as the streams tell it. */
import type { components } from "@/api/__generated__/schema";

export type TurnEvent = components["schemas"]["TurnEvent"];
export type SessionEvent = components["schemas"]["SessionEvent"];
