/** Shortcuts on keyboards whose keys write other characters than the Latin ones of a hint. */

interface Pressed {
  key: string;
  code: string;
  shiftKey: boolean;
}

/** True for a key that writes something; others have names of ASCII letters. An Arabic one may write two letters. */
export const isCharacter = (key: string): boolean => [...key].length === 1 || !/^[ -~]*$/.test(key);

/**
 * The Latin letter of a key: the one that it writes, else the one at its position, as on a Russian keyboard. A Thai or
 * Hindi key may write a vowel sign, which is no letter.
 */
export function letterOf({ key, code }: Pressed): string | undefined {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  return /^[ -~]*$/.test(key) ? undefined : /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase();
}

interface PressedWith extends Pressed {
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  getModifierState: (key: string) => boolean;
}

/** The digit in the upper row that is pressed with Alt and nothing else; AltGr and Alt on the keypad write characters. */
export function altDigitOf(event: PressedWith): string | undefined {
  const others = event.ctrlKey || event.metaKey || event.shiftKey || event.getModifierState("AltGraph");
  return event.altKey && !others ? /^Digit(\d)$/.exec(event.code)?.[1] : undefined;
}

/** The digit of a key, also where digits need Shift, as on a French keyboard. Other signs that need Shift are none. */
export function digitOf({ key, code, shiftKey }: Pressed): string | undefined {
  if (/^\d$/.test(key)) return key;
  return shiftKey ? undefined : /^Digit(\d)$/.exec(code)?.[1];
}

/** What the key Alt is called on this computer's keyboard. */
export const ALT =
  typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌥" : "Alt";
