/** How high the matches of a session may be, above what stands under them. */
import { useCallback } from "react";

/**
 * A ref for the element around both. It says in `--stage-space` how high the first of its children may be, before every
 * painting: what a panel at most takes follows from the height of the dock and the composer.
 */
export function useStageSpace() {
  return useCallback((stage: HTMLElement | null) => {
    if (!stage) return;
    const measure = () => {
      const below = stage.lastElementChild?.clientHeight ?? 0;
      stage.style.setProperty("--stage-space", `${stage.clientHeight - below}px`);
    };
    const sizes = new ResizeObserver(measure);
    const children = new MutationObserver(() => watch());
    const watch = () => {
      sizes.disconnect();
      sizes.observe(stage);
      if (stage.lastElementChild) sizes.observe(stage.lastElementChild);
    };
    children.observe(stage, { childList: true });
    watch();
    measure();
    return () => {
      sizes.disconnect();
      children.disconnect();
    };
  }, []);
}
