/** What can be done with a question. */

import { Link } from "@tanstack/react-router";
import { Copy, Download, Ellipsis, Link as LinkIcon, Pencil, Play } from "lucide-react";
import { useRef } from "react";
import { LAZY_STRINGS } from "@/features/arena/lazy-strings";
import { useExport } from "@/features/arena/use-export";
import { useTurnPlace } from "@/features/arena/use-turn-place";
import { focusComposer } from "@/lib/focus-composer";
import { IconButton } from "@/ui/icon-button";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "@/ui/menu";

export function PromptMenuButton({ className }: { className: string }) {
  const { prompt, session, copy, copyLink, edit, editsInPlace, replay } = useTurnPlace();
  const save = useExport();
  const editing = useRef(false);
  if (session === undefined) return null;
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <IconButton size="icon-sm" label={LAZY_STRINGS.promptActions} className={className}>
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
        <MenuItem
          onSelect={() => {
            editing.current = true;
            edit();
          }}
        >
          <Pencil aria-hidden="true" />
          {editsInPlace ? LAZY_STRINGS.editAndAsk : LAZY_STRINGS.askAnew}
        </MenuItem>
        <MenuItem onSelect={() => copy(prompt, LAZY_STRINGS.questionCopied)}>
          <Copy aria-hidden="true" />
          {LAZY_STRINGS.copy}
        </MenuItem>
        {replay && (
          <MenuItem asChild>
            <Link to="/turns/$turn/replay" params={{ turn: replay }}>
              <Play aria-hidden="true" />
              {LAZY_STRINGS.replay}
            </Link>
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem onSelect={copyLink}>
          <LinkIcon aria-hidden="true" />
          {LAZY_STRINGS.copyLink}
        </MenuItem>
        <MenuItem onSelect={() => save(session)}>
          <Download aria-hidden="true" />
          {LAZY_STRINGS.exportSession}
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
