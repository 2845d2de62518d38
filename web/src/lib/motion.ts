/** Whether the person asked for as little motion as possible. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** How the page scrolls by itself. */
export const scrolling = (): ScrollBehavior => (calm() ? "auto" : "smooth");
