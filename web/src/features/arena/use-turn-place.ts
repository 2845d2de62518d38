/** What can be done with a place in a session. */

import { useParams } from "@tanstack/react-router";
import { useContext } from "react";
import { attachStored } from "@/features/arena/attachments/attaching";
import { useComposer } from "@/features/arena/composer-store";
import { LAZY_STRINGS } from "@/features/arena/lazy-strings";
import { TurnPlaceContext } from "@/features/arena/turn-place";
import { showToast } from "@/lib/toast-store";
import { writeText } from "@/lib/use-copy";

export function useTurnPlace() {
  const { number, prompt, files } = useContext(TurnPlaceContext);
  const { session } = useParams({ strict: false });
  const copy = (text: string, said: string) =>
    writeText(text).then(
      () => showToast(said),
      () => showToast(LAZY_STRINGS.clipboardRefused, { tone: "bad" }),
    );
  return {
    prompt,
    session,
    copy,
    copyLink: () => copy(`${location.origin}/s/${session}#turn-${number}`, LAZY_STRINGS.linkCopied),
    /** Put the question into the composer, to be changed and sent as a new turn. */
    edit: () => {
      if (session === undefined) return;
      const { drafts, setDraft } = useComposer.getState();
      attachStored(session, files);
      setDraft(session, [drafts[session], prompt].filter(Boolean).join("\n"));
    },
  };
}
