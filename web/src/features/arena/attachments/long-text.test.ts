import { afterEach, expect, test, vi } from "vitest";
import type { About } from "@/api/types";
import { attachText } from "@/features/arena/attachments/long-text";
import { putBack, textName } from "@/features/arena/attachments/pasted-text";
import { keepAsText, attachText as upload } from "@/features/arena/attachments/uploads";
import { useComposer } from "@/features/arena/composer-store";

const api = vi.hoisted(() => ({ uploadAttachment: vi.fn(), readText: vi.fn(), readAs: vi.fn() }));
vi.mock("@/api/attachments", () => api);
const nothing = vi.hoisted(() => ({ getItem: () => null, setItem() {}, removeItem() {} }));
vi.mock("@/features/arena/tab-storage", () => ({ tabStorage: () => nothing }));
vi.mock("@/features/arena/attachments/lazy-parts", () => ({ loadParts: () => new Promise(() => undefined) }));

const about = { max_attachments: 2, max_attachment_bytes: 1 << 20 } as About;
const files = () => useComposer.getState().attached.new ?? [];
const settled = () => vi.waitFor(() => expect(files().every(({ stored }) => stored)).toBe(true));

afterEach(() => useComposer.setState({ attached: {}, drafts: {} }));

test("a text goes back to where it stood, apart from the words around it", () => {
  expect(putBack("", "long", 0)).toBe("long");
  expect(putBack("Sum up: ", "long", 8)).toBe("Sum up: long");
  expect(putBack("Sum up", "long", 6)).toBe("Sum up\n\nlong");
  expect(putBack("and say why", "long", 0)).toBe("long\n\nand say why");
  expect(putBack("ab", "long", 99)).toBe("ab\n\nlong");
});

test("each pasted text has a name of its own", () => {
  expect(textName([])).toBe("Pasted text.txt");
  expect(textName(["Pasted text.txt", "Pasted text 2.txt"])).toBe("Pasted text 3.txt");
});

test("a pasted text is stored as a file, and becomes text again as the server has it", async () => {
  api.uploadAttachment.mockResolvedValue({ sha256: "1", name: "Pasted text.txt", size: 4 });
  api.readText.mockResolvedValue("long");
  useComposer.getState().setDraft("new", "Sum up: ");
  upload("new", "long", 8, about);
  expect(files()[0]?.pasted).toEqual({ at: 8, text: "long" });
  await settled();
  expect(files()[0]?.pasted).toEqual({ at: 8, text: null });
  await keepAsText(files()[0]?.key ?? "");
  expect(files()).toEqual([]);
  expect(useComposer.getState().drafts.new).toBe("Sum up: long");
});

test("a text that could not be uploaded becomes text again", async () => {
  api.uploadAttachment.mockRejectedValue(new TypeError("offline"));
  upload("new", "long", 0, about);
  await vi.waitFor(() => expect(files()[0]?.error).toBeTruthy());
  await keepAsText(files()[0]?.key ?? "");
  expect(useComposer.getState().drafts.new).toBe("long");
});

test("where a question has all the files that it can have, a text stays text", () => {
  const entry = { key: "k", name: "a", size: 1, done: 1, stored: null, error: null };
  useComposer.setState({ attached: { new: [entry, { ...entry, key: "l" }] } });
  expect(attachText("new", "long", 0, about)).toBe(false);
});
