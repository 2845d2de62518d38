/** How rounds are shown; remembered by the browser. */
import { createContext, useContext } from "react";
import { useStored } from "@/lib/local-storage";

export type Look = "answers" | "words";

export function useStoredViewOptions() {
  const [colored, setColored] = useStored("consortium-colors", true);
  const [look, setLook] = useStored<Look>("consortium-look", "answers");
  const [table, setTable] = useStored("consortium-table", false);
  return { colored, setColored, look, setLook, table, setTable };
}

export type ViewOptions = ReturnType<typeof useStoredViewOptions>;
export const ViewOptionsContext = createContext<ViewOptions | null>(null);
export function useViewOptions(): ViewOptions {
  const options = useContext(ViewOptionsContext);
  if (!options) throw new Error("There is no ViewOptionsContext above.");
  return options;
}
