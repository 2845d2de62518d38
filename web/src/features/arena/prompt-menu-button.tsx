/** What can be done with a question. */

import { Link } from "@tanstack/react-router";
import { Copy, Download, Ellipsis, Link as LinkIcon, Pencil, Play, Sheet } from "lucide-react";
import { useRef, useState } from "react";
import { useMayWrite } from "@/api/permissions";
import { lazyExtra } from "@/components/lazy-part";
import { usePicture } from "@/features/arena/pictures/use-picture";
import { useExport } from "@/features/arena/use-export";
import { useTurnPlace } from "@/features/arena/use-turn-place";
import { focusComposer } from "@/lib/focus-composer";
import { IconButton } from "@/ui/icon-button";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "@/ui/menu";

const AddQuestion = lazyExtra(() =>
  import("@/features/prompts/add-question").then((part) => part.AddQuestion),
);

export function PromptMenuButton({ className }: { className: string }) {
  const { id, prompt, session, copy, copyLink, edit, editsInPlace, replay } = useTurnPlace();
  const save = useExport();
  const picture = usePicture();
  const mayWrite = useMayWrite();
  const editing = useRef(false);
  const [adding, setAdding] = useState(false);
  if (session === undefined) return null;
  return (
    <>
      {adding && id && <AddQuestion turn={id} onClose={() => setAdding(false)} />}
      <Menu modal={false}>
        <MenuTrigger asChild>
          <IconButton size="icon-sm" label="More actions for your question" className={className}>
            <Ellipsis />
          </IconButton>
        </MenuTrigger>
        <MenuContent
          align="end"
          onCloseAutoFocus={(event) => {
            if (!editing.current) return;
            editing.current = false;
            event.preventDefault();
            if (!editsInPlace) focusComposer();
          }}
        >
          {mayWrite && (
            <MenuItem
              onSelect={() => {
                editing.current = true;
                edit();
              }}
            >
              <Pencil aria-hidden="true" />
              {editsInPlace ? "Edit and ask again" : "Ask again as a new question"}
            </MenuItem>
          )}
          <MenuItem onSelect={() => copy(prompt, "Question copied.")}>
            <Copy aria-hidden="true" />
            Copy
          </MenuItem>
          {replay && (
            <MenuItem asChild>
              <Link to="/turns/$turn/replay" params={{ turn: replay }}>
                <Play aria-hidden="true" />
                Replay
              </Link>
            </MenuItem>
          )}
          {mayWrite && id && (
            <MenuItem onSelect={() => setAdding(true)}>
              <Sheet aria-hidden="true" />
              Add to a data set…
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem onSelect={copyLink}>
            <LinkIcon aria-hidden="true" />
            Copy link to this turn
          </MenuItem>
          {picture.item}
          <MenuItem onSelect={() => save(session)}>
            <Download aria-hidden="true" />
            Export session as Markdown
          </MenuItem>
        </MenuContent>
      </Menu>
      {picture.dialog}
    </>
  );
}
