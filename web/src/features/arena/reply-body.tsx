/** The text, pictures and files of a reply in every state: waiting, being written, done, ended early. */

import type { ReplyView } from "@/api/types";
import { Markdown } from "@/components/markdown/markdown";
import { ReplyParts } from "@/features/arena/attachments/lazy-parts";
import type { ReplyPartsProps } from "@/features/arena/attachments/reply-parts";
import { PictureProgress } from "@/features/arena/picture-progress";
import { waitingFor } from "@/features/arena/queue-words";
import { Skeleton } from "@/ui/skeleton";

export const isWriting = (reply: Pick<ReplyView, "status"> | undefined) =>
  reply?.status === "streaming" || reply?.status === "waiting";

/** Whether there is anything to show of a reply; a session that was kept before there were parts has none. */
export const hasBody = (reply: Pick<ReplyView, "text" | "parts"> | undefined) =>
  Boolean(reply?.text || reply?.parts?.length);

type Progress = NonNullable<ReplyView["progress"]>;

interface ReplyBodyProps {
  reply:
    | (Pick<ReplyView, "text" | "parts" | "status"> & { queued?: boolean; progress?: Progress })
    | undefined;
  running: boolean;
  /** What the reply waits for, if that is not its model. */
  queued?: string | undefined;
  /** What stands where there is no text to show once the turn has ended. */
  absent?: string;
}

export function ReplyBody({
  reply,
  running,
  queued = waitingFor(reply),
  absent = "No text.",
}: ReplyBodyProps) {
  const drawing = reply?.progress?.phase ? undefined : reply?.progress;
  if (!reply || !hasBody(reply)) {
    if (running && drawing) return <PictureProgress progress={drawing} />;
    if (running) return <WaitingLines queued={queued} />;
    return <p className="text-sm text-ink-3">{absent}</p>;
  }
  const Body = reply.parts?.length ? ReplyParts : Text;
  return (
    <>
      <Body reply={reply} writing={running && isWriting(reply)} />
      {running && drawing && <PictureProgress progress={drawing} />}
    </>
  );
}

const Text = ({ reply, writing }: ReplyPartsProps) => <Markdown text={reply.text} writing={writing} />;

interface WaitingLinesProps {
  label?: string;
  /** Said in sight: the wait is not for the model. */
  queued?: string | undefined;
}

/** Stands where a text will be; `label` says what is waited for. */
export function WaitingLines({ label = "Waiting for the first token", queued }: WaitingLinesProps) {
  return (
    <div className="space-y-3 pt-1">
      {queued ? (
        <p className="m-0 text-sm text-ink-3">{queued}…</p>
      ) : (
        <span className="sr-only">{label}</span>
      )}
      <Skeleton className="h-3.5 w-[92%]" />
      <Skeleton className="h-3.5 w-[84%]" />
      <Skeleton className="h-3.5 w-[58%]" />
    </div>
  );
}
