/** What can be done with a reply. */

import {
  Copy,
  Download,
  Ellipsis,
  FileText,
  GitBranch,
  Link as LinkIcon,
  RotateCcw,
  Shuffle,
} from "lucide-react";
import { LAZY_STRINGS } from "@/features/arena/lazy-strings";
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
  /** Asks another model the same; undefined where the mode has no branches. */
  onOther?: (() => void) | undefined;
  /** The next question goes on from here; undefined where it does so anyway. */
  onBranch?: (() => void) | undefined;
}

export function ReplyMenuButton({ name, text, onRegenerate, onOther, onBranch }: ReplyMenuProps) {
  const { prompt, session, copy, copyLink } = useTurnPlace();
  const save = useExport();
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <IconButton size="icon-sm" label={LAZY_STRINGS.answerActions(name)}>
          <Ellipsis />
        </IconButton>
      </MenuTrigger>
      <MenuContent align="end">
        <MenuItem onSelect={() => copy(text, LAZY_STRINGS.answerCopied)}>
          <Copy aria-hidden="true" />
          {LAZY_STRINGS.copy}
        </MenuItem>
        <MenuItem onSelect={() => copy(answerMarkdown(prompt, name, text), LAZY_STRINGS.bothCopied)}>
          <FileText aria-hidden="true" />
          {LAZY_STRINGS.copyBoth}
        </MenuItem>
        {onRegenerate && (
          <MenuItem onSelect={onRegenerate}>
            <RotateCcw aria-hidden="true" />
            {LAZY_STRINGS.regenerate}
          </MenuItem>
        )}
        {onOther && (
          <MenuItem onSelect={onOther}>
            <Shuffle aria-hidden="true" />
            {LAZY_STRINGS.regenerateWith}
          </MenuItem>
        )}
        {onBranch && (
          <MenuItem onSelect={onBranch}>
            <GitBranch aria-hidden="true" />
            {LAZY_STRINGS.branchHere}
          </MenuItem>
        )}
        {session !== undefined && (
          <>
            <MenuSeparator />
            <MenuItem onSelect={copyLink}>
              <LinkIcon aria-hidden="true" />
              {LAZY_STRINGS.copyLink}
            </MenuItem>
            <MenuItem onSelect={() => save(session)}>
              <Download aria-hidden="true" />
              {LAZY_STRINGS.exportSession}
            </MenuItem>
          </>
        )}
      </MenuContent>
    </Menu>
  );
}
