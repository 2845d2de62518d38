/** The item that Enter chooses; cmdk leaves it open where items come only after the search that found them. */
import { type RefObject, useCallback, useState } from "react";

const ITEM = "[cmdk-item]";

export function useSelectedItem(list: RefObject<HTMLElement | null>) {
  const [value, onValueChange] = useState("");
  const takeFirst = useCallback(() => {
    if (list.current?.querySelector(`${ITEM}[aria-selected=true]`)) return;
    const first = list.current?.querySelector<HTMLElement>(ITEM);
    if (first) onValueChange(first.dataset.value ?? "");
  }, [list]);
  return { value, onValueChange, takeFirst };
}
