/** What can be done with a reply. */
import { Copy, Download, Ellipsis, FileText, Link as LinkIcon, RotateCcw } from "lucide-react";
import { answerMarkdown } from "@/features/arena/session-markdown";
import { useExport } from "@/features/arena/use-export";
import { useTurnPlace } from "@/features/arena/use-turn-place";
import { IconButton } from "@/ui/icon-button";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "@/ui/menu";

export interface ReplyMenuProps {
  name: string;
  text: string;
  /** Asks the same model again; undefined where the match does not allow it. */
  onRegenerate?: (() => void) | undefined;
}

export function ReplyMenuButton({ name, text, onRegenerate }: ReplyMenuProps) {
  const { prompt, session, copy, copyLink } = useTurnPlace();
  const save = useExport();
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <IconButton size="icon-sm" label={`More actions for ${name}’s answer`}>
          <Ellipsis />
        </IconButton>
      </MenuTrigger>
      <MenuContent align="end">
        <MenuItem onSelect={() => copy(text, "Answer copied.")}>
          <Copy aria-hidden="true" />
          Copy
        </MenuItem>
        <MenuItem onSelect={() => copy(answerMarkdown(prompt, name, text), "Question and answer copied.")}>
          <FileText aria-hidden="true" />
          Copy with question as Markdown
        </MenuItem>
        {onRegenerate && (
          <MenuItem onSelect={onRegenerate}>
            <RotateCcw aria-hidden="true" />
            Regenerate
          </MenuItem>
        )}
        {session !== undefined && (
          <>
            <MenuSeparator />
            <MenuItem onSelect={copyLink}>
              <LinkIcon aria-hidden="true" />
              Copy link to this turn
            </MenuItem>
            <MenuItem onSelect={() => save(session)}>
              <Download aria-hidden="true" />
              Export session as Markdown
            </MenuItem>
          </>
        )}
      </MenuContent>
    </Menu>
  );
}
