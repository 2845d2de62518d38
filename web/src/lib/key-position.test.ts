import { expect, test } from "vitest";
import { altDigitOf, digitOf, letterOf } from "@/lib/key-position";

const press = (key: string, code: string, shiftKey = false) => ({ key, code, shiftKey });

test.each([
  ["Latin", press("k", "KeyK"), "k"],
  ["Caps Lock", press("K", "KeyK"), "k"],
  ["Russian", press("л", "KeyK"), "k"],
  ["Greek", press("κ", "KeyK"), "k"],
  ["Dvorak, where the letter counts", press("k", "KeyV"), "k"],
  ["French A at the position of Q", press("a", "KeyQ"), "a"],
  ["Thai, where it writes a vowel sign", press("ิ", "KeyB"), "b"],
  ["Arabic, where it writes two letters", press("لا", "KeyB"), "b"],
  ["Hindi", press("ि", "KeyF"), "f"],
  ["a dead key", press("Dead", "KeyN"), undefined],
  ["a comma at a letter's position", press(",", "KeyW"), undefined],
  ["a semicolon", press(";", "KeyZ"), undefined],
  ["an arrow", press("ArrowLeft", "ArrowLeft"), undefined],
])("the letter of a key: %s", (_, event, expected) => {
  expect(letterOf(event)).toBe(expected);
});

test.each([
  ["Latin", press("1", "Digit1"), "1"],
  ["French", press("&", "Digit1"), "1"],
  ["French with Shift", press("1", "Digit1", true), "1"],
  ["Czech", press("ě", "Digit2"), "2"],
  ["Thai, where it writes a slash", press("/", "Digit2"), "2"],
  ["Persian digits", press("۱", "Digit1"), "1"],
  ["the number pad", press("4", "Numpad4"), "4"],
  ["an exclamation mark", press("!", "Digit1", true), undefined],
])("the digit of a key: %s", (_, event, expected) => {
  expect(digitOf(event)).toBe(expected);
});

const withAlt = (
  key: string,
  code: string,
  more: Partial<Record<"altKey" | "ctrlKey" | "metaKey" | "shiftKey" | "altGraph", boolean>> = {},
) => ({
  key,
  code,
  shiftKey: false,
  altKey: true,
  ctrlKey: false,
  metaKey: false,
  ...more,
  getModifierState: () => more.altGraph ?? false,
});

test.each([
  ["Latin", withAlt("1", "Digit1"), "1"],
  ["French", withAlt("&", "Digit1"), "1"],
  ["Russian", withAlt("4", "Digit4"), "4"],
  ["a Mac, where it writes a character", withAlt("¡", "Digit1"), "1"],
  ["without Alt", withAlt("1", "Digit1", { altKey: false }), undefined],
  ["AltGr", withAlt("#", "Digit3", { altGraph: true }), undefined],
  ["AltGr as Control and Alt", withAlt("#", "Digit3", { ctrlKey: true }), undefined],
  ["a code on the keypad", withAlt("1", "Numpad1"), undefined],
  ["Shift too", withAlt("!", "Digit1", { shiftKey: true }), undefined],
])("the digit of a key pressed with Alt: %s", (_, event, expected) => {
  expect(altDigitOf(event)).toBe(expected);
});
