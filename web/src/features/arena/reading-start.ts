/** Where reading begins once all is written: at the newest result that marks itself, else at the newest turn. */
import { scrolling } from "@/lib/motion";

const RESULT = "[data-reading-start]";
const TURN = "[data-turn]";

export function readingStart(area: HTMLElement): Element | undefined {
  const turn = [...area.querySelectorAll(TURN)].at(-1);
  return (turn && [...turn.querySelectorAll(RESULT)].at(-1)) ?? turn;
}

export function showReadingStart(area: HTMLElement): void {
  readingStart(area)?.scrollIntoView({ block: "start", behavior: scrolling() });
}
