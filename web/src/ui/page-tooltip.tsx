import { autoUpdate, flip, offset, shift, useFloating } from "@floating-ui/react-dom";
import { useCallback, useEffect, useId, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { followTooltips, type Side } from "@/ui/tooltip";

const MARGIN = { padding: 8 };

/** The one tooltip of the page. */
export function PageTooltip() {
  const [element, setElement] = useState<HTMLElement | null>(null);
  useEffect(() => {
    const end = new AbortController();
    followTooltips(setElement, end.signal);
    return () => end.abort();
  }, []);
  return element && createPortal(<TooltipOf element={element} />, document.body);
}

function TooltipOf({ element }: { element: HTMLElement }) {
  const id = useId();
  const text = useTooltipText(element);
  const [gone, setGone] = useState(false);
  const { refs, floatingStyles } = useFloating({
    strategy: "fixed",
    placement: element.dataset.tooltipSide as Side,
    elements: { reference: element },
    middleware: [offset(6), flip(MARGIN), shift(MARGIN)],
    whileElementsMounted: (reference, floating, update) =>
      autoUpdate(reference, floating, () => {
        // An element that leaves the page sends no event of the pointer's.
        setGone(element.getClientRects().length === 0);
        update();
      }),
  });
  useEffect(() => {
    if (text === element.ariaLabel) return;
    element.setAttribute("aria-describedby", id);
    return () => element.removeAttribute("aria-describedby");
  }, [element, text, id]);
  return (
    <div
      ref={refs.setFloating}
      role="tooltip"
      id={id}
      style={floatingStyles}
      hidden={gone}
      // A dialog below it is not clicked beside.
      onPointerDown={(event) => event.stopPropagation()}
      className="pointer-events-auto z-50 max-w-72 animate-fade-in rounded-sm border border-line-strong bg-raised px-2 py-1 text-xs text-ink shadow-lift"
    >
      {text}
    </div>
  );
}

/** What its tooltip says now: a button may be given another name while it is pointed at. */
function useTooltipText(element: HTMLElement): string | undefined {
  const subscribe = useCallback(
    (changed: () => void) => {
      const observer = new MutationObserver(changed);
      observer.observe(element, { attributeFilter: ["data-tooltip"] });
      return () => observer.disconnect();
    },
    [element],
  );
  return useSyncExternalStore(subscribe, () => element.dataset.tooltip);
}
