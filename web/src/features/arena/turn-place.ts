/** Where in a session something stands: for links, and for questions that are asked again. */
import { createContext, useMemo } from "react";
import type { MatchView, TurnView } from "@/api/types";
import type { Stored } from "@/features/arena/attachments/uploads";
import type { Fork } from "@/features/arena/branches";
import type { Scene } from "@/features/arena/pictures/scene";

export interface TurnPlace {
  /** The turn's number in the session, from 1. */
  number: number;
  /** What was asked; empty where the turn has no words. */
  prompt: string;
  /** The pictures and files that came with it. */
  files: readonly Stored[];
  id?: string;
  /** The turn has ended and hides nothing, so that it can be replayed. */
  canReplay?: boolean;
  /** Where a question is edited in its place, and asked as another way on; else it goes into the composer. */
  edit?: () => void;
  /** Who wrote it, in a workspace. */
  author?: string;
  /** What a picture of the turn shows, where one can be made of it. */
  picture?: () => Scene;
}

/** Where the conversation that is shown went on in several ways, by the turn that is shown there. */
export interface Branching {
  forks: ReadonlyMap<string, Fork>;
  /** Show another way on from a place. */
  pick: (fork: Fork, way: number) => void;
}

export const BranchingContext = createContext<Branching>({ forks: new Map(), pick: () => undefined });

export const TurnPlaceContext = createContext<TurnPlace>({ number: 1, prompt: "", files: [] });

/** Where a turn stands, the same while its answers are written; with its match, it can be replayed on a page of its own. */
export function useTurnPlace(number: number, turn: TurnView, match?: MatchView): TurnPlace {
  const { id, input, author_id: author } = turn;
  const canReplay = match?.blind === false && turn.status !== "running";
  return useMemo(() => {
    const asked = input.type === "prompt" ? input : { text: "", attachments: [] };
    const place = { number, prompt: asked.text, files: asked.attachments, id, canReplay };
    return author ? { ...place, author } : place;
  }, [number, id, input, canReplay, author]);
}

/** A place with the picture that can be made of its turn; null where it has none. */
export function usePictured(place: TurnPlace, picture: (() => Scene) | null): TurnPlace {
  return useMemo(() => (picture ? { ...place, picture } : place), [place, picture]);
}

/** Where a turn stands on the page, by its id, or by its number ("turn-3"). */
export const turnAt = (name: string): Element | null =>
  name === ""
    ? null
    : (document.getElementById(name) ?? document.querySelector(`[data-turn="${CSS.escape(name)}"]`));
