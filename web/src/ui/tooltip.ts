/** Which element's tooltip is shown: what the pointer rests on, or what the keyboard has focused. */

/** How long the pointer rests on an element before it is shown; at once where one was shown just before. */
const REST_MS = 450;
const JUST_BEFORE_MS = 300;

/** How long the pointer may take from the element to its tooltip. */
const WAY_MS = 120;

export type Side = "top" | "bottom" | "left" | "right";

/** What gives an element a tooltip: one is drawn for the whole page, however many elements have one. */
export function tooltip(text: string, side: Side = "bottom") {
  return { "data-tooltip": text, "data-tooltip-side": side };
}

/** Follow the pointer and the focus, and say whose tooltip is shown; the signal ends it. */
export function followTooltips(show: (element: HTMLElement | null) => void, signal: AbortSignal): void {
  let shown: HTMLElement | null = null;
  let pointed: HTMLElement | null = null;
  let hidden = Number.NEGATIVE_INFINITY;
  let timer = 0;

  function set(element: HTMLElement | null) {
    clearTimeout(timer);
    if (element === shown) return;
    if (!element) hidden = performance.now();
    shown = element;
    show(element);
  }

  function point(element: HTMLElement | null) {
    if (element === pointed) return;
    pointed = element;
    clearTimeout(timer);
    if (element === shown) return;
    const known = shown || performance.now() - hidden < JUST_BEFORE_MS;
    timer = window.setTimeout(() => set(element), element ? (known ? 0 : REST_MS) : WAY_MS);
  }

  const hide = () => set(null);
  const on = <K extends keyof DocumentEventMap>(type: K, act: (event: DocumentEventMap[K]) => void) =>
    document.addEventListener(type, act, { capture: true, passive: true, signal });

  on("pointerover", ({ target, pointerType }) => {
    if (pointerType === "touch" || !(target instanceof Element)) return;
    point(target.closest("[role=tooltip]") ? shown : target.closest<HTMLElement>("[data-tooltip]"));
  });
  on("pointerout", ({ relatedTarget }) => relatedTarget ?? point(null));
  on("focusin", ({ target }) => {
    if (target instanceof HTMLElement && target.matches("[data-tooltip]:focus-visible")) set(target);
  });
  on("focusout", ({ target }) => target === shown && hide());
  on("pointerdown", hide);
  on("click", hide);
  on("keydown", ({ key }) => key === "Escape" && hide());
  on("scroll", ({ target }) => target instanceof Node && target.contains(shown) && hide());
  signal.addEventListener("abort", () => clearTimeout(timer));
}
