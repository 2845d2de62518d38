/** Where everything of a question stands on the page, and the way there. */

import { createContext, useCallback, useContext, useEffect, useMemo, useState } from "react";
import type { TeamView } from "@/features/team/read-team";
import { placeOf } from "@/features/team/references";

/** Names of the places besides the statements, which go by their references. */
export const roundPlace = (number: number) => `round-${number}`;
export const choicePlace = (number: number) => `choice-${number}`;
export const synthesisPlace = (number: number) => `synthesis-${number}`;
export const wordPlace = (id: string) => `said-${id}`;

export interface Places {
  /** The question's name: what the ids of its places begin with. */
  question: string;
  /** The references that lead somewhere. */
  known: ReadonlySet<string>;
  jump: (place: string) => void;
}

export const PlacesContext = createContext<Places>({
  question: "",
  known: new Set(),
  jump: () => undefined,
});
export const usePlaces = () => useContext(PlacesContext);

const LIT_MS = 1600;

/** Shows, focuses and marks a place that is on the page. */
function show(id: string): void {
  const element = document.getElementById(id);
  if (!element) return;
  element.scrollIntoView({ block: element.clientHeight > window.innerHeight / 2 ? "start" : "center" });
  element.focus({ preventScroll: true });
  element.setAttribute("data-lit", "");
  setTimeout(() => element.removeAttribute("data-lit"), LIT_MS);
}

/** The places of a question, and which of its folded rounds were opened. */
export function usePlacesOf(view: TeamView) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [wanted, setWanted] = useState<string | null>(null);
  const { id: question, rounds } = view;
  const refs = rounds.flatMap(({ statements }) => statements.map(({ ref }) => ref)).join();
  const known = useMemo(() => new Set(refs.split(",").filter(Boolean)), [refs]);
  const fold = useCallback(
    (number: number) =>
      setOpened((before) => {
        const next = new Set(before);
        if (!next.delete(number)) next.add(number);
        return next;
      }),
    [],
  );
  const jump = useCallback((place: string) => {
    const number = Number(/^(?:\w+-)?(\d+)/.exec(place)?.[1]);
    if (!place.startsWith("said-")) setOpened((before) => new Set(before).add(number));
    setWanted(place);
  }, []);
  // Once what was folded is there.
  useEffect(() => {
    if (wanted === null) return;
    show(placeOf(question, wanted));
    setWanted(null);
  }, [wanted, question]);
  // The address may name a place too.
  useEffect(() => {
    const { hash } = location;
    if (hash.startsWith(`#${question}-`)) jump(hash.slice(question.length + 2));
  }, [question, jump]);
  const places = useMemo(() => ({ question, known, jump }), [question, known, jump]);
  return { places, opened, fold };
}
