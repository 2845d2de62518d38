/** Which sentence the reader looks at, and what the reader wants to see of a round. */
import { createContext, useContext } from "react";
import { useStored } from "@/lib/stored";

/** A sentence by its seat and place; its group lights up with it. */
export interface Lit {
  seat: string;
  index: number;
  group: number | null;
}

export const LitContext = createContext<{ lit: Lit | null; light: (lit: Lit | null) => void }>({
  lit: null,
  light: () => undefined,
});
export const useLit = () => useContext(LitContext);

export const isLit = (lit: Lit | null, seat: string, index: number, group: number | null): boolean =>
  lit !== null && ((lit.seat === seat && lit.index === index) || (group !== null && lit.group === group));

export type Look = "answers" | "words";

/** How rounds are shown; remembered by the browser. */
export function useLooks() {
  const [colored, setColored] = useStored("consortium-colors", true);
  const [look, setLook] = useStored<Look>("consortium-look", "answers");
  const [table, setTable] = useStored("consortium-table", false);
  return { colored, setColored, look, setLook, table, setTable };
}

export type Looks = ReturnType<typeof useLooks>;
export const LooksContext = createContext<Looks | null>(null);
export function useSharedLooks(): Looks {
  const looks = useContext(LooksContext);
  if (!looks) throw new Error("There is no LooksContext above.");
  return looks;
}
