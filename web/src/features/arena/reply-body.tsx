/** The text of a reply in every state: waiting, being written, done, ended early. */

import type { ReplyView } from "@/api/types";
import { Markdown } from "@/components/markdown/markdown";
import { STRINGS } from "@/features/arena/strings";
import { Skeleton } from "@/ui/skeleton";

export const isWriting = (reply: ReplyView | undefined) =>
  reply?.status === "streaming" || reply?.status === "waiting";

interface ReplyBodyProps {
  reply: ReplyView | undefined;
  running: boolean;
  /** What stands where there is no text to show once the turn has ended. */
  absent?: string;
}

export function ReplyBody({ reply, running, absent = STRINGS.noText }: ReplyBodyProps) {
  if (!reply || reply.text === "") {
    if (running) return <WaitingLines />;
    return <p className="text-sm text-ink-3">{absent}</p>;
  }
  return <Markdown text={reply.text} writing={running && isWriting(reply)} />;
}

function WaitingLines() {
  return (
    <div className="space-y-3 pt-1">
      <span className="sr-only">{STRINGS.waitingForToken}</span>
      <Skeleton className="h-3.5 w-[92%]" />
      <Skeleton className="h-3.5 w-[84%]" />
      <Skeleton className="h-3.5 w-[58%]" />
    </div>
  );
}
