/** The keys of a vote: a digit outside of text, Alt with a digit everywhere. What is typed never votes. */
import { useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useComposer } from "@/features/arena/composer-store";
import { isComposing } from "@/lib/composition";
import { focusComposer } from "@/lib/focus-composer";
import { createHeldKey } from "@/lib/held-key";
import { noteText, overlayOpen, typing, useHotkeys, usePlainKeys } from "@/lib/hotkeys";
import { altDigitOf } from "@/lib/key-position";

interface BallotKeys {
  /** The digit alone votes now. */
  plain: boolean;
  /** The choice whose key was just pressed: it is a vote unless more is typed at once. */
  held: string | null;
}

export function useBallotKeys(
  place: string,
  choices: readonly string[],
  vote: (choice: string | undefined) => void,
): BallotKeys {
  const plain = usePlainKeys();
  const [held, setHeld] = useState<string | null>(null);
  const [key] = useState(() => createHeldKey((now) => now || setHeld(null)));
  const latest = useRef({ choices, vote, place });
  latest.current = { choices, vote, place };

  const hold = (index: number) => (event: KeyboardEvent) => {
    const choice = choices[index];
    if (!choice) return;
    key.press(event.key, () => latest.current.vote(choice));
    setHeld(choice);
  };
  useHotkeys(
    Object.fromEntries(choices.map((_, index) => [String(index + 1), hold(index)])),
    (event) => !event.repeat && !typing(event.target) && !overlayOpen(),
  );

  // Not after the paint: a key pressed as soon as the buttons are seen votes.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { choices, vote, place } = latest.current;
      if (isComposing(event) || overlayOpen()) return key.drop();
      const digit = altDigitOf(event);
      const choice = digit && choices[Number(digit) - 1];
      if (choice) {
        event.preventDefault();
        event.stopPropagation();
        key.drop();
        if (!event.repeat) vote(choice);
      } else if (event.key === "Escape") key.drop();
      else if (isCharacter(event)) {
        const text = key.takeText();
        if (text !== undefined) writeOn(place, text);
      }
    };
    addEventListener("keydown", onKey, true);
    return () => {
      removeEventListener("keydown", onKey, true);
      key.drop();
    };
  }, [key]);
  return { plain, held };
}

const isCharacter = (event: KeyboardEvent) =>
  !event.ctrlKey && !event.metaKey && !event.altKey && ([...event.key].length === 1 || event.key === "Dead");

/** What looked like a vote begins a text: the composer has it before the key that showed it. */
function writeOn(place: string, text: string): void {
  const { drafts, setDraft } = useComposer.getState();
  flushSync(() => setDraft(place, (drafts[place] ?? "") + text));
  noteText();
  focusComposer();
}
