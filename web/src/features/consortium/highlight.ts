/** The sentence that the reader looks at. */
import { createContext, useContext } from "react";

/** A sentence by its seat and place; its group lights up with it. */
export interface HighlightedSentence {
  seat: string;
  index: number;
  group: number | null;
}

export const HighlightContext = createContext<{
  highlighted: HighlightedSentence | null;
  highlight: (highlighted: HighlightedSentence | null) => void;
}>({
  highlighted: null,
  highlight: () => undefined,
});
export const useHighlight = () => useContext(HighlightContext);

export const isHighlighted = (
  highlighted: HighlightedSentence | null,
  seat: string,
  index: number,
  group: number | null,
): boolean =>
  highlighted !== null &&
  ((highlighted.seat === seat && highlighted.index === index) ||
    (group !== null && highlighted.group === group));
