/** The button that chooses files for the next question. */

import { useQuery } from "@tanstack/react-query";
import { Paperclip } from "lucide-react";
import { useRef } from "react";
import { aboutQuery } from "@/api/queries";
import { attach, megabytesOf } from "@/features/arena/attachments/attaching";
import { STRINGS } from "@/features/arena/attachments/strings";
import { focusComposer } from "@/lib/focus-composer";
import { IconButton } from "@/ui/icon-button";

export function AttachButton({ place }: { place: string }) {
  const { data: about } = useQuery(aboutQuery);
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        size="icon-sm"
        label={STRINGS.attach}
        hint={STRINGS.attachHint(about ? megabytesOf(about) : "")}
        side="top"
        onClick={() => picker.current?.click()}
      >
        <Paperclip />
      </IconButton>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={STRINGS.attach}
        onChange={({ currentTarget: input }) => {
          if (about) attach(place, [...(input.files ?? [])], about);
          input.value = "";
          focusComposer();
        }}
      />
    </>
  );
}
