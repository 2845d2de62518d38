/** Finds the latest note of a name, round and key: a round that was played again replaces what it said. */
import type { NoteView } from "@/api/types";

export interface Found<T> {
  seq: number;
  data: T;
}

/** `Notes` gives the data of each name; it is taken as the server sends it. */
export function noteFinder<Notes>(notes: readonly NoteView[]) {
  const latest = new Map<string, NoteView>();
  for (const note of notes) {
    const place = `${note.name} ${note.round} ${note.key}`;
    const known = latest.get(place);
    if (!known || note.seq > known.seq) latest.set(place, note);
  }
  return <K extends keyof Notes & string>(name: K, round: number, key = ""): Found<Notes[K]> | null => {
    const note = latest.get(`${name} ${round} ${key}`);
    return note ? { seq: note.seq, data: note.data as Notes[K] } : null;
  };
}

/** The latest note of a name, of whatever round. */
export const latestNote = (notes: readonly NoteView[], name: string): NoteView | undefined =>
  notes
    .filter((note) => note.name === name)
    .reduce<NoteView | undefined>((last, note) => (last && last.seq > note.seq ? last : note), undefined);
