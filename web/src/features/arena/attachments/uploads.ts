/** Attaches files to a place's draft: each is uploaded at once, and stays with the draft until it is sent. */

import type { components } from "@/api/__generated__/schema";
import { readAs, readText, uploadAttachment } from "@/api/attachments";
import { asApiError } from "@/api/problem";
import type { About } from "@/api/types";
import { putBack, textName } from "@/features/arena/attachments/pasted-text";
import { type Attaching, useComposer } from "@/features/arena/composer-store";
import { formatBytes } from "@/lib/format";
import { randomKey } from "@/lib/ids";
import { showToast } from "@/lib/toast-store";

const sameContent = (name: string, other: string) =>
  name === other
    ? `${name} is attached already.`
    : `${name} has the same content as ${other}, which is attached already.`;

export type Stored = components["schemas"]["Attached"];

const uploads = new Map<string, AbortController>();
/** Files whose upload failed through no fault of theirs, until they are sent again or removed. */
const failed = new Map<string, File>();

/** The encodings in which files are read anew just now: of two choices the later one counts. */
const readings = new Map<string, string>();

const megabytesOf = (about: About) => about.max_attachment_bytes / 2 ** 20;

/** Attach files, as many as may be; what cannot be attached stays in the list and says why. */
export function attach(place: string, files: readonly File[], about: About): void {
  const free = about.max_attachments - listOf(place).length;
  if (files.length > free)
    showToast(`A question can have at most ${about.max_attachments} attachments.`, { tone: "bad" });
  for (const file of files.slice(0, Math.max(0, free))) add(place, file, about);
}

/** Attach a text as a file, which can become text again at this place of the draft. */
export function attachText(place: string, text: string, at: number, about: About): void {
  const name = textName(listOf(place).map((each) => each.name));
  add(place, new File([text], name, { type: "text/plain" }), about, { pasted: { at, text } });
}

/** Put a text that became a file back into the draft. */
export async function keepAsText(key: string): Promise<void> {
  const place = placeOf(key);
  const file = listOf(place).find((each) => each.key === key);
  if (!file?.pasted) return;
  try {
    const text = file.pasted.text ?? (file.stored && (await readText(file.stored.sha256))) ?? "";
    const { drafts, setDraft } = useComposer.getState();
    setDraft(place, putBack(drafts[place] ?? "", text, file.pasted.at));
    remove(place, key);
  } catch (error) {
    showProblem(error);
  }
}

function add(place: string, file: File, about: About, more: Partial<Attaching> = {}): void {
  const { name, size } = file;
  const entry: Attaching = { key: randomKey(), name, size, done: 0, stored: null, error: null, ...more };
  if (size > about.max_attachment_bytes)
    entry.error = `${name} has ${formatBytes(size)}. The limit is ${megabytesOf(about)} MB.`;
  put(place, [...listOf(place), entry]);
  if (!entry.error) void upload(place, entry.key, file);
}

/** Attach again what an earlier question came with. */
export function attachStored(place: string, files: readonly Stored[]): void {
  const known = new Set(listOf(place).map(({ stored }) => stored?.sha256));
  const fresh = files
    .filter(({ sha256 }) => !known.has(sha256))
    .map((stored) => ({
      key: randomKey(),
      name: stored.name,
      size: stored.size,
      done: 1,
      stored,
      error: null,
    }));
  put(place, [...listOf(place), ...fresh]);
}

export const canRetry = (key: string) => failed.has(key);

/** Upload a file again whose upload failed. */
export function retry(key: string): void {
  const file = failed.get(key);
  if (!file) return;
  failed.delete(key);
  change(key, { error: null, done: 0 });
  void upload(placeOf(key), key, file);
}

/** Take a file away from the draft; an upload that runs is stopped. */
export function remove(place: string, key: string): void {
  uploads.get(key)?.abort();
  failed.delete(key);
  put(
    place,
    listOf(place).filter((each) => each.key !== key),
  );
}

/** Read an attached text anew in another encoding; the file as it was uploaded stays the source of further choices. */
export async function readAnew(key: string, encoding: string): Promise<void> {
  const file = listOf(placeOf(key)).find((each) => each.key === key);
  const original = file?.original ?? file?.stored?.sha256;
  if (!original) return;
  readings.set(key, encoding);
  change(key, { reading: true });
  try {
    const stored = await readAs(original, encoding);
    if (readings.get(key) === encoding) change(key, { stored, original });
  } catch (error) {
    showProblem(error);
  }
  if (readings.get(key) !== encoding) return;
  readings.delete(key);
  change(key, { reading: false });
}

function showProblem(error: unknown): void {
  const { message, detail } = asApiError(error);
  showToast(detail ? `${message} ${detail}` : message, { tone: "bad" });
}

/** Say of files that a reload has taken before they were uploaded that they are gone. */
export function settleUploads(place: string): void {
  for (const { key, name, stored, error, again, reading } of listOf(place)) {
    if (reading && !readings.has(key)) change(key, { reading: false });
    const gone = !stored && !uploads.has(key) && !failed.has(key);
    if (gone && (again || !error))
      change(key, {
        error: `${name} was not uploaded before the page was reloaded. Remove it here and attach it again.`,
        again: false,
      });
  }
}

async function upload(place: string, key: string, file: File): Promise<void> {
  const controller = new AbortController();
  uploads.set(key, controller);
  try {
    const stored = await uploadAttachment(file, (done) => change(key, { done }), controller.signal);
    // The same bytes again would be the same attachment.
    const same = listOf(place).find((each) => each.stored?.sha256 === stored.sha256);
    if (same) {
      remove(place, key);
      showToast(sameContent(file.name, same.name));
      return;
    }
    const pasted = listOf(placeOf(key)).find((each) => each.key === key)?.pasted;
    const { name, size } = stored;
    change(key, { stored, error: null, name, size, ...(pasted && { pasted: { ...pasted, text: null } }) });
  } catch (error) {
    if (controller.signal.aborted) return;
    const { message, detail, status } = asApiError(error);
    const again = status === 0 || status >= 500;
    if (again) failed.set(key, file);
    change(key, { error: detail ? `${message} ${detail}` : message, again });
  } finally {
    uploads.delete(key);
  }
}

const listOf = (place: string) => useComposer.getState().attached[place] ?? [];

const placeOf = (key: string) =>
  Object.entries(useComposer.getState().attached).find(([, list]) =>
    list.some((each) => each.key === key),
  )?.[0] ?? "new";

const put = (place: string, list: Attaching[]) =>
  useComposer.setState(({ attached }) => ({ attached: { ...attached, [place]: list } }));

/** Change an entry, wherever it is by now. */
const change = (key: string, values: Partial<Attaching>) =>
  useComposer.setState(({ attached }) => ({
    attached: Object.fromEntries(
      Object.entries(attached).map(([place, list]) => [
        place,
        list.map((each) => (each.key === key ? { ...each, ...values } : each)),
      ]),
    ),
  }));
