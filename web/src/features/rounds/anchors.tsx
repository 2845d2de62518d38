/** Where everything of a question stands on the page, the way there, and which of its past rounds are open. */
import "@/features/rounds/anchors.css";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";

/** Names of what stands in a round: the first number in them is the round's. */
export const roundAnchor = (number: number) => `round-${number}`;
export const synthesisAnchor = (number: number) => `synthesis-${number}`;
/** What the person said belongs to no round. */
export const interjectionAnchor = (id: string) => `${UNNUMBERED}${id}`;
const UNNUMBERED = "said-";

/** The id of an element, and the fragment of a link to it. */
export const anchorId = (question: string, name: string): string => `${question}-${name}`;

interface AnchorsValue {
  /** What the ids of the question's anchors begin with. */
  question: string;
  /** The names that texts may link to. */
  known: ReadonlySet<string>;
  /** Past rounds that were opened. */
  opened: ReadonlySet<number>;
  fold: (round: number) => void;
  jump: (name: string) => void;
}

const AnchorsContext = createContext<AnchorsValue>({
  question: "",
  known: new Set(),
  opened: new Set(),
  fold: () => undefined,
  jump: () => undefined,
});
export const useAnchors = () => useContext(AnchorsContext);

/** The attributes of an element that links lead to. */
export function useAnchor(name: string) {
  return { id: anchorId(useAnchors().question, name), tabIndex: -1, "data-anchor": true };
}

interface AnchorLinkProps {
  name: string;
  label: string;
  children: ReactNode;
}

/** Leads to what stands elsewhere under the same question. */
export function AnchorLink({ name, label, children }: AnchorLinkProps) {
  const { jump } = useAnchors();
  return (
    <button
      type="button"
      aria-label={label}
      className="rounded-xs touch:min-h-11 touch:min-w-11 text-left whitespace-nowrap underline decoration-line-strong underline-offset-3 hover:decoration-ink"
      onClick={() => jump(name)}
    >
      {children}
    </button>
  );
}

interface AnchorsProps {
  question: string;
  /** Joined by commas. */
  known?: string;
  children: ReactNode;
}

export function Anchors({ question, known: names = "", children }: AnchorsProps) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [target, setTarget] = useState<string | null>(null);
  const known = useMemo(() => new Set(names.split(",").filter(Boolean)), [names]);
  const fold = useCallback(
    (number: number) =>
      setOpened((before) => {
        const next = new Set(before);
        if (!next.delete(number)) next.add(number);
        return next;
      }),
    [],
  );
  const jump = useCallback((name: string) => {
    const number = Number(/^(?:\w+-)?(\d+)/.exec(name)?.[1]);
    if (!name.startsWith(UNNUMBERED)) setOpened((before) => new Set(before).add(number));
    setTarget(name);
  }, []);
  // Once what was folded is there.
  useEffect(() => {
    if (target === null) return;
    show(anchorId(question, target));
    setTarget(null);
  }, [target, question]);
  // The address may name an anchor too.
  useEffect(() => {
    const { hash } = location;
    if (hash.startsWith(`#${question}-`)) jump(hash.slice(question.length + 2));
  }, [question, jump]);
  const value = useMemo(
    () => ({ question, known, opened, fold, jump }),
    [question, known, opened, fold, jump],
  );
  return <AnchorsContext value={value}>{children}</AnchorsContext>;
}

const HIGHLIGHT_MS = 1600;

/** Shows, focuses and marks an element that is on the page. */
function show(id: string): void {
  const element = document.getElementById(id);
  if (!element) return;
  element.scrollIntoView({ block: element.clientHeight > window.innerHeight / 2 ? "start" : "center" });
  element.focus({ preventScroll: true });
  element.setAttribute("data-lit", "");
  setTimeout(() => element.removeAttribute("data-lit"), HIGHLIGHT_MS);
}
