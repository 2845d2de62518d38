/** A long text that is pasted, or is over the limit of a message, becomes a file that can become text again. */

import type { About } from "@/api/types";
import { MissingPart } from "@/components/failure";
import { loadParts } from "@/features/arena/attachments/lazy-parts";
import { putBack } from "@/features/arena/attachments/pasted-text";
import { useComposer } from "@/features/arena/composer-store";
import { showToast } from "@/lib/toast-store";

/** A pasted text with more characters is rather read than edited. */
export const LONG_PASTE = 8_000;

/** Attach a text that stood, or would have stood, at this place of the draft; false where there is no room for it. */
export function attachText(place: string, text: string, at: number, about: About): boolean {
  const { attached, setDraft, awaitFiles } = useComposer.getState();
  if ((attached[place]?.length ?? 0) >= about.max_attachments) return false;
  const settle = awaitFiles(place);
  loadParts()
    .then(
      ({ PARTS }) => PARTS.attachText(place, text, at, about),
      () => {
        setDraft(place, putBack(useComposer.getState().drafts[place] ?? "", text, at));
        showToast(new MissingPart().message, { tone: "bad" });
      },
    )
    .finally(settle);
  return true;
}
