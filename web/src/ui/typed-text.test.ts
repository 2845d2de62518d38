import { expect, test } from "vitest";
import { type TextField, TypedText } from "@/ui/typed-text";

const aField = (value: string, type = "text"): TextField => ({ type, value });

test("a field that was typed into holds text that closing would lose", () => {
  const [key, address] = [aField("", "password"), aField("http://localhost:1234/v1", "url")];
  const typed = new TypedText();
  typed.begin(key);
  typed.begin(address);
  expect(typed.isIn([key, address])).toBe(false);
  key.value = "sk-1";
  expect(typed.isIn([key, address])).toBe(true);
});

test("what stands there as at first, is empty or only blank is no loss", () => {
  const [name, note] = [aField("Ollama"), aField("")];
  const typed = new TypedText();
  typed.begin(name);
  typed.begin(note);
  name.value = "Ollama 2";
  typed.begin(name); // the focus comes back
  name.value = "Ollama";
  note.value = "  ";
  expect(typed.isIn([name, note])).toBe(false);
  name.value = "";
  expect(typed.isIn([name, note])).toBe(false);
});

test("a search, a file and a field that nobody touched do not count", () => {
  const [search, file, other] = [aField("", "search"), aField("", "file"), aField("")];
  const typed = new TypedText();
  typed.begin(search);
  typed.begin(file);
  search.value = "oll";
  file.value = "C:\\fakepath\\votes.csv";
  other.value = "filled by the page";
  expect(typed.isIn([search, file, other])).toBe(false);
});
