/** What was said within an ensemble's reply, round by round. */

import { useQuery } from "@tanstack/react-query";
import { type InnerReply, innerRepliesQuery } from "@/api/inner-replies";
import { asApiError } from "@/api/problem";
import { Disclosure } from "@/components/disclosure";
import { MetricsLine } from "@/features/arena/metrics-line";
import { ReplyBody } from "@/features/arena/reply-body";
import { formatCost, formatMs } from "@/lib/format";
import { readArbiterText, readMemberText } from "@/lib/read-tags";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

export function InnerRounds({ turnId, replyId }: { turnId: string; replyId: string }) {
  const { data, error, refetch } = useQuery(innerRepliesQuery(turnId));
  if (error && !data) {
    return (
      <p className="flex flex-wrap items-center justify-between gap-2">
        {asApiError(error).message}
        <Button size="sm" onClick={() => refetch()}>
          Try again
        </Button>
      </p>
    );
  }
  if (!data) return <Skeleton className="h-16" />;
  return <Rounds replies={data.replies} parent={replyId} />;
}

function Rounds({ replies, parent }: { replies: readonly InnerReply[]; parent: string }) {
  const within = replies.filter((reply) => reply.parent_reply_id === parent);
  if (within.length === 0) return <p>Not saved.</p>;
  const rounds = [...new Set(within.map((reply) => reply.round))];
  return (
    <ol className="flex list-none flex-col gap-3 p-0">
      {rounds.map((round) => (
        <li key={round} aria-label={`Round ${round}`} className="flex flex-col gap-1.5">
          <p className="m-0 text-xs font-medium text-ink-3">Round {round}</p>
          {within
            .filter((reply) => reply.round === round)
            .map((reply) => (
              <Reply key={reply.id} reply={reply} replies={replies} />
            ))}
        </li>
      ))}
    </ol>
  );
}

/** One reply; where an ensemble gave it, how that one came to it in turn. */
function Reply({ reply, replies }: { reply: InnerReply; replies: readonly InnerReply[] }) {
  const { text, confidence } = read(reply);
  const { metrics, status } = reply;
  const took = metrics && [formatMs(metrics.duration_ms), formatCost(metrics.cost_micros)];
  return (
    <Disclosure
      label={
        <>
          <span className="truncate text-ink">{reply.model.name}</span>
          {ROLES.has(reply.purpose) && <span className="shrink-0 text-ink-3">{reply.purpose}</span>}
        </>
      }
      aside={
        <span className="num">
          {status === "completed"
            ? [confidence !== null && `confidence ${confidence.toFixed(2)}`, ...(took ?? [])]
                .filter((part) => part && part !== "–")
                .join(" · ")
            : ENDINGS[status]}
        </span>
      }
    >
      <ReplyBody reply={{ ...reply, text }} running={false} />
      {metrics && <MetricsLine metrics={metrics} className="mt-2" />}
      {replies.some((each) => each.parent_reply_id === reply.id) && (
        <div className="mt-3 border-l border-line pl-3">
          <Rounds replies={replies} parent={reply.id} />
        </div>
      )}
    </Disclosure>
  );
}

const ROLES: ReadonlySet<string> = new Set(["synthesis", "ranking"]);

const ENDINGS: Record<InnerReply["status"], string> = {
  waiting: "not finished",
  streaming: "not finished",
  completed: "",
  incomplete: "incomplete",
  failed: "failed",
  stopped: "stopped",
};

/** The part that a reader wants, without the tags that models write for each other. */
function read({ purpose, text }: InnerReply): { text: string; confidence: number | null } {
  const { answer, confidence } = readMemberText(text, false);
  if (purpose === "answer") return { text: answer, confidence };
  return { text: readArbiterText(text, false).synthesis || answer, confidence };
}
