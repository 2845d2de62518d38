/** Where an item of a list that had the focus leaves the list, the focus goes to the item beside it. */
import { type RefObject, useLayoutEffect, useRef } from "react";

interface FocusHandoff {
  item: RefObject<HTMLLIElement | null>;
  /** Say that the item is about to leave, though the focus is elsewhere, as in its menu. */
  leave: () => void;
  stay: () => void;
}

export function useFocusHandoff(): FocusHandoff {
  const item = useRef<HTMLLIElement>(null);
  const leaving = useRef(false);
  useLayoutEffect(() => {
    const own = item.current;
    return () => {
      const focused = own?.contains(document.activeElement) || leaving.current;
      const items = focused ? [...(own?.closest("nav")?.querySelectorAll("li:has(a, input)") ?? [])] : [];
      const at = own ? items.indexOf(own) : -1;
      const beside = [...items.slice(at + 1), ...items.slice(0, Math.max(0, at)).reverse()];
      // Others may leave with it, and a menu that closes gives the focus back first.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        beside
          .find((each) => each.isConnected)
          ?.querySelector<HTMLElement>("a, input")
          ?.focus();
      }, 0);
    };
  }, []);
  return {
    item,
    leave: () => {
      leaving.current = true;
    },
    stay: () => {
      leaving.current = false;
    },
  };
}
