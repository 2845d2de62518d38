/** What a seat had said before it was asked again. */

import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useState } from "react";
import { asApiError } from "@/api/problem";
import { getAttempts } from "@/api/requests";
import type { ReplyView } from "@/api/types";
import { MetricsLine } from "@/features/arena/metrics-line";
import { hasBody, ReplyBody } from "@/features/arena/reply-body";
import { Button } from "@/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";
import { Skeleton } from "@/ui/skeleton";

interface AttemptsProps {
  turnId: string;
  reply: ReplyView;
  name: string;
}

export function Attempts({ turnId, reply, name }: AttemptsProps) {
  const [open, setOpen] = useState(false);
  const { data, error } = useQuery({
    queryKey: ["attempts", turnId, reply.id, reply.attempt],
    queryFn: ({ signal }) => getAttempts(turnId, { signal }),
    enabled: open,
  });
  const before = data?.attempts.filter(({ reply_id }) => reply_id === reply.id);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button size="sm" variant="quiet" className="-my-1 ml-auto text-ink-3">
          <History aria-hidden="true" />
          Attempt {reply.attempt}
        </Button>
      </PopoverTrigger>
      <PopoverContent
        align="end"
        side="top"
        aria-label={`Earlier answers of ${name}`}
        className="max-h-[60vh] w-[min(480px,92vw)] overflow-y-auto p-4 text-sm"
      >
        <h3 className="font-semibold">Earlier answers</h3>
        {error && <p className="mt-2 text-ink-2">{asApiError(error).message}</p>}
        {!before && !error && <Skeleton className="mt-2 h-16" />}
        {before?.length === 0 && <p className="mt-2 text-ink-2">No earlier answers.</p>}
        <ol className="list-none p-0">
          {before?.map((attempt) => (
            <li key={attempt.attempt} className="mt-3 border-t border-line pt-2">
              <p className="text-xs text-ink-3">Attempt {attempt.attempt}</p>
              {hasBody(attempt) ? (
                <div className="mt-1 [&_.reading]:text-sm">
                  <ReplyBody reply={attempt} running={false} />
                </div>
              ) : (
                <p className="mt-1 text-ink-2">{attempt.error?.title ?? "No text."}</p>
              )}
              {attempt.metrics && <MetricsLine metrics={attempt.metrics} className="mt-1" />}
            </li>
          ))}
        </ol>
      </PopoverContent>
    </Popover>
  );
}
