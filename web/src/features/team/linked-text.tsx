/** A text whose references to statements are links, and single links of that kind. */

import { type MouseEvent, type ReactNode, useMemo } from "react";
import { Markdown } from "@/components/markdown/markdown";
import { SeatDot } from "@/features/panels/seat-dot";
import { anchorId, useAnchors } from "@/features/rounds/anchors";
import type { Expert } from "@/features/team/read-team";
import { linkReferences } from "@/features/team/references";

/** Takes clicks on links to statements within it; with a modifier key they open as links do. */
export function FollowsReferences({ className, children }: { className?: string; children: ReactNode }) {
  const { question, jump } = useAnchors();
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || !(event.target instanceof Element)) return;
    const target = event.target.closest("a")?.getAttribute("href");
    if (!target?.startsWith(`#${question}-`)) return;
    event.preventDefault();
    jump(target.slice(question.length + 2));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links within it take the keyboard
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click
    <div className={className} onClick={onClick}>
      {children}
    </div>
  );
}

/** The text with its references as links. */
export function useLinked(text: string): string {
  const { question, known } = useAnchors();
  return useMemo(() => linkReferences(text, known, question), [text, known, question]);
}

export const LinkedText = ({ text, writing = false }: { text: string; writing?: boolean }) => (
  <Markdown text={useLinked(text)} writing={writing} />
);

interface StatementLinkProps {
  reference: string;
  expert: Expert | undefined;
  title?: string;
  children?: ReactNode;
}

/** "1.2 Critic", with the expert's colour. */
export function StatementLink({ reference, expert, title, children }: StatementLinkProps) {
  const { question, jump } = useAnchors();
  return (
    <a
      href={`#${anchorId(question, reference)}`}
      title={title}
      className="team-ref inline-flex items-center gap-1.5 whitespace-nowrap"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        jump(reference);
      }}
    >
      {expert && <SeatDot color={expert.color} className="size-1.5" />}
      <span className="truncate">{expert ? `${reference} ${expert.role}` : reference}</span>
      {children}
    </a>
  );
}
