/** What stands against sending the files of a draft, before the part of the page that shows them is here, too. */
import { type Attaching, useComposer } from "@/features/arena/composer-store";
import { UPLOADING } from "@/features/arena/mode-feature";

const NONE: Attaching[] = [];

export function holdOf(files: readonly Attaching[]): string | null {
  if (files.some(({ error }) => error)) return "Remove what can’t be attached";
  return files.some(({ stored, reading }) => !stored || reading) ? UPLOADING : null;
}

/** What stands against sending; `judged` is what the files' part says: undefined before it has looked at them. */
export function useHold(place: string, judged: string | null | undefined): string | null {
  const files = useComposer(({ attached }) => attached[place]) ?? NONE;
  const coming = useComposer((state) => state.coming[place] ?? 0);
  if (coming > 0) return UPLOADING;
  if (files.length === 0) return judged ?? null;
  return holdOf(files) ?? (judged === undefined ? UPLOADING : judged);
}
