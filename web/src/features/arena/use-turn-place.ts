/** What can be done with a place in a session. */

import { useParams } from "@tanstack/react-router";
import { useContext } from "react";
import { attachStored } from "@/features/arena/attachments/uploads";
import { useComposer } from "@/features/arena/composer-store";
import { TurnPlaceContext } from "@/features/arena/turn-place";
import { showToast } from "@/lib/toast-store";
import { writeText } from "@/lib/use-copy";

export function useTurnPlace() {
  const { id, number, prompt, files, edit, canReplay } = useContext(TurnPlaceContext);
  const { session } = useParams({ strict: false });
  const copy = (text: string, said: string) =>
    writeText(text).then(
      () => showToast(said),
      () => showToast("Can’t copy. Allow clipboard access in your browser.", { tone: "bad" }),
    );
  return {
    /** The turn. */
    id,
    prompt,
    session,
    /** The turn that can be replayed. */
    replay: canReplay ? id : undefined,
    copy,
    copyLink: () => copy(`${location.origin}/s/${session}#${id ?? `turn-${number}`}`, "Link copied."),
    /** Whether the question is edited where it stands. */
    editsInPlace: edit !== undefined,
    /** Edit the question where it stands, or put it into the composer, to be sent as a new turn. */
    edit: () => {
      if (edit) return edit();
      if (session === undefined) return;
      const { drafts, setDraft } = useComposer.getState();
      attachStored(session, files);
      setDraft(session, [drafts[session], prompt].filter(Boolean).join("\n"));
    },
  };
}
