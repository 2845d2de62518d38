/** What can be done with a reply. */

import {
  Copy,
  Download,
  Ellipsis,
  FileText,
  GitBranch,
  Library as LibraryIcon,
  Link as LinkIcon,
  RotateCcw,
  Shuffle,
} from "lucide-react";
import { useMayWrite } from "@/api/permissions";
import { answerMarkdown } from "@/features/arena/answer-markdown";
import { keepReply } from "@/features/arena/keep-reply";
import { usePicture } from "@/features/arena/pictures/use-picture";
import { useExport } from "@/features/arena/use-export";
import { useTurnPlace } from "@/features/arena/use-turn-place";
import { IconButton } from "@/ui/icon-button";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "@/ui/menu";

export interface ReplyMenuProps {
  name: string;
  text: string;
  /** The reply, where it can be kept in the library. */
  replyId?: string | undefined;
  /** Asks the same model again; undefined where the match does not allow it. */
  onRegenerate?: (() => void) | undefined;
  /** Asks another model the same; undefined where the mode has no branches. */
  onOther?: (() => void) | undefined;
  /** The next question goes on from here; undefined where it does so anyway. */
  onBranch?: (() => void) | undefined;
}

export function ReplyMenuButton({ name, text, replyId, onRegenerate, onOther, onBranch }: ReplyMenuProps) {
  const { prompt, session, copy, copyLink } = useTurnPlace();
  const save = useExport();
  const picture = usePicture();
  const mayWrite = useMayWrite();
  return (
    <>
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
          {mayWrite && onRegenerate && (
            <MenuItem onSelect={onRegenerate}>
              <RotateCcw aria-hidden="true" />
              Regenerate
            </MenuItem>
          )}
          {mayWrite && onOther && (
            <MenuItem onSelect={onOther}>
              <Shuffle aria-hidden="true" />
              Answer with another model…
            </MenuItem>
          )}
          {mayWrite && onBranch && (
            <MenuItem onSelect={onBranch}>
              <GitBranch aria-hidden="true" />
              Branch from here
            </MenuItem>
          )}
          {mayWrite && replyId && (
            <MenuItem onSelect={() => keepReply(replyId)}>
              <LibraryIcon aria-hidden="true" />
              Keep in library
            </MenuItem>
          )}
          {session !== undefined && (
            <>
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
            </>
          )}
        </MenuContent>
      </Menu>
      {picture.dialog}
    </>
  );
}
