/** What can be done with a question. */
import { Copy, Download, Ellipsis, Link as LinkIcon, Pencil } from "lucide-react";
import { useRef } from "react";
import { useExport } from "@/features/arena/use-export";
import { useTurnPlace } from "@/features/arena/use-turn-place";
import { focusComposer } from "@/lib/focus-composer";
import { IconButton } from "@/ui/icon-button";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "@/ui/menu";

export function PromptMenuButton({ className }: { className: string }) {
  const { prompt, session, copy, copyLink, edit } = useTurnPlace();
  const save = useExport();
  const editing = useRef(false);
  if (session === undefined) return null;
  return (
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
          focusComposer();
        }}
      >
        <MenuItem
          onSelect={() => {
            editing.current = true;
            edit();
          }}
        >
          <Pencil aria-hidden="true" />
          Edit and ask again
        </MenuItem>
        <MenuItem onSelect={() => copy(prompt, "Question copied.")}>
          <Copy aria-hidden="true" />
          Copy
        </MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={copyLink}>
          <LinkIcon aria-hidden="true" />
          Copy link to this turn
        </MenuItem>
        <MenuItem onSelect={() => save(session)}>
          <Download aria-hidden="true" />
          Export session as Markdown
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
