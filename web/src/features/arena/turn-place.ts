/** Where in a session something stands: for links, and for questions that are asked again. */
import { createContext } from "react";
import type { TurnView } from "@/api/types";
import type { Stored } from "@/features/arena/attachments/attaching";

export interface TurnPlace {
  /** The turn's number in the session, from 1. */
  number: number;
  /** What was asked; empty where the turn has no words. */
  prompt: string;
  files: readonly Stored[];
}

export const TurnPlaceContext = createContext<TurnPlace>({ number: 1, prompt: "", files: [] });

export const turnPlace = (number: number, turn: TurnView): TurnPlace => ({
  number,
  prompt: turn.input.type === "prompt" ? turn.input.text : "",
  files: turn.input.type === "prompt" ? turn.input.attachments : [],
});
