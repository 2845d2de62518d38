/** One prompt and its answer. */

import { useNavigate } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import { memo, useMemo, useState } from "react";
import { useMayWrite } from "@/api/permissions";
import type { MatchView, ReplyView, TurnView } from "@/api/types";
import { CopyButton } from "@/components/copy-button";
import { EnsembleRounds } from "@/features/arena/ensemble-rounds";
import { MetricsLine } from "@/features/arena/metrics-line";
import { Notice } from "@/features/arena/notice";
import { PromptBubble } from "@/features/arena/prompt-bubble";
import { waitingFor } from "@/features/arena/queue-words";
import { Reasoning } from "@/features/arena/reasoning";
import { hasBody, ReplyBody } from "@/features/arena/reply-body";
import { ReplyMenu } from "@/features/arena/turn-menus";
import { TurnPlaceContext, useTurnPlace } from "@/features/arena/turn-place";
import { useRetry, useRetrySeat } from "@/features/arena/use-turn-actions";
import { useTeach } from "@/features/auto/auto-api";
import { Receipt } from "@/features/auto/lazy-parts";
import { ForkSwitch } from "@/features/chat/fork-switch";
import { OtherModel } from "@/features/chat/other-model";
import { forgetEdit, isEdited, PromptEditor } from "@/features/chat/prompt-editor";
import { useBranch } from "@/features/chat/use-branch";
import { Attempts } from "@/features/panels/attempts";
import { AnswerSteps, TableCards } from "@/features/tools/lazy-parts";
import { answerIn, hasTables, stepsOf } from "@/features/tools/steps";
import { focusComposer } from "@/lib/focus-composer";
import { isUnfinished } from "@/turn/reduce-turn";
import { Button } from "@/ui/button";

const TEXT_SAVED = "The text so far is saved.";

interface ChatTurnProps {
  match: MatchView;
  turn: TurnView;
  /** The turn before it in its match. */
  before: string | undefined;
  number: number;
  /** The conversation that is shown ends with it. */
  last: boolean;
}

export const ChatTurn = memo(function ChatTurn({ match, turn, before, number, last }: ChatTurnProps) {
  const seat = match.seats[0];
  const steps = stepsOf(turn, seat?.name);
  const reply = answerIn(steps);
  const running = isUnfinished(turn.status);
  const name = seat?.model?.name ?? seat?.label ?? "Assistant";
  const [editing, setEditing] = useState(() => isEdited(turn.id));
  const [choosing, setChoosing] = useState<"no" | "other" | "instead">("no");
  const teach = useTeach(turn.session_id, turn.id);
  const standing = useTurnPlace(number, turn, match);
  const place = useMemo(() => ({ ...standing, edit: () => setEditing(true) }), [standing]);
  const again = useRetrySeat();
  const branch = useBranch(match, turn, before);
  const { prompt, files } = place;
  const regenerate =
    last && match.status === "open" && seat
      ? () => again.mutate({ turn, seat: seat.name })
      : () => branch.mutate({ prompt });
  const sent = () => {
    forgetEdit(turn.id);
    setEditing(false);
  };
  const onward = useOnward(turn, seat?.name);
  return (
    <TurnPlaceContext value={place}>
      <section
        id={`turn-${number}`}
        data-turn={turn.id}
        aria-label={`Turn ${number}`}
        className="flex flex-col gap-5 pt-6"
      >
        {editing ? (
          <PromptEditor
            turnId={turn.id}
            text={prompt}
            files={files}
            sending={branch.isPending}
            // Until the server has it, the text stands in its field.
            onSend={(text, kept) => branch.mutate({ prompt: text, files: kept }, { onSuccess: sent })}
            onClose={() => setEditing(false)}
          />
        ) : (
          prompt && <PromptBubble text={prompt} attachments={files} />
        )}
        {files.some(({ name }) => hasTables(name)) && (
          <TableCards session={turn.session_id} files={files.map(({ name }) => name)} />
        )}
        <ForkSwitch turnId={turn.id} />
        <article aria-label={`${name}’s answer`} className="min-w-0">
          <h3 className="mb-2 flex items-center gap-2 text-sm font-semibold" title={seat?.model?.id}>
            <i aria-hidden="true" className="size-2 rounded-full bg-ink-3" />
            {name}
            {seat?.model && <span className="font-normal text-ink-3">{seat.model.organization}</span>}
          </h3>
          {before === undefined && (
            <Receipt
              session={turn.session_id}
              turn={turn.id}
              name={name}
              moment={last ? `${turn.id} ${String(running)}` : "earlier"}
              onAnother={!running && prompt ? () => setChoosing("instead") : undefined}
            />
          )}
          {turn.tools?.[0] && <AnswerSteps turn={turn} steps={steps} />}
          {reply && <Reasoning reply={reply} running={running} />}
          {(hasBody(reply) || running || !problemOf(turn, reply)) &&
            !(running && reply?.reasoning && !hasBody(reply)) && (
              <ReplyBody reply={reply} running={running} queued={waitingFor(reply, turn)} />
            )}
          {!running && (
            <EnsembleRounds model={seat?.model} turnId={turn.id} replyId={reply?.id} className="mt-4" />
          )}
          {!running && (
            <footer className="mt-2 -ml-1.5 flex items-center gap-x-2.5">
              {reply?.text && <CopyButton text={reply.text} label="Copy answer" />}
              {reply?.text && (
                <ReplyMenu
                  name={name}
                  text={reply.text}
                  replyId={reply.status === "completed" ? reply.id : undefined}
                  onRegenerate={prompt && seat?.model?.enabled ? regenerate : undefined}
                  onOther={prompt ? () => setChoosing("other") : undefined}
                  onBranch={last ? undefined : onward}
                />
              )}
              {reply?.metrics && (reply.text || reply.reasoning) && <MetricsLine metrics={reply.metrics} />}
              {reply && reply.attempt > 1 && <Attempts turnId={turn.id} reply={reply} name={name} />}
            </footer>
          )}
          <Ending turn={turn} reply={reply} last={last} />
          <OtherModel
            open={choosing !== "no"}
            value={seat?.model?.id ?? null}
            files={files}
            onOpenChange={(open) => !open && setChoosing("no")}
            onChoose={(model) => {
              if (choosing === "instead" && model !== seat?.model?.id) teach.mutate(model);
              branch.mutate({ prompt, model });
            }}
          />
        </article>
      </section>
    </TurnPlaceContext>
  );
});

/** Lets the next question go on from a turn that others follow. */
function useOnward(turn: TurnView, seat: string | undefined) {
  const navigate = useNavigate();
  return () => {
    const search = { mode: "chat", from: `${turn.id}.${seat}` };
    navigate({ to: "/s/$session", params: { session: turn.session_id }, search, replace: true });
    setTimeout(focusComposer);
  };
}

interface Problem {
  title: string;
  detail: string | null;
  bad: boolean;
}

/** What went wrong with an answer, in plain words; null where it is whole. */
function problemOf(turn: TurnView, reply: ReplyView | undefined): Problem | null {
  const error = reply?.error ?? turn.error;
  if (isUnfinished(turn.status)) return null;
  if (reply?.status === "failed" || turn.status === "failed") {
    return {
      title: error?.title ?? "The model failed to answer.",
      detail: error?.detail ?? TEXT_SAVED,
      bad: true,
    };
  }
  if (reply?.status === "incomplete") {
    return {
      title: error?.title ?? "The answer is incomplete.",
      detail: error?.detail ?? TEXT_SAVED,
      bad: true,
    };
  }
  if (reply?.status === "stopped" || turn.status === "stopped") {
    return { title: "Answer stopped.", detail: null, bad: false };
  }
  if (reply?.finish_reason === "length") {
    return { title: "The answer reached the model’s length limit.", detail: null, bad: false };
  }
  if (reply?.finish_reason === "content_filter") {
    return { title: "The provider’s content filter stopped this answer.", detail: null, bad: false };
  }
  return null;
}

function Ending({ turn, reply, last }: { turn: TurnView; reply: ReplyView | undefined; last: boolean }) {
  const retry = useRetry();
  const mayWrite = useMayWrite();
  const problem = problemOf(turn, reply);
  if (!problem) return null;
  const retriable = mayWrite && last && reply?.status !== "completed";
  return (
    <div className="mt-3">
      <Notice
        title={problem.title}
        detail={problem.detail}
        tone={problem.bad ? "bad" : "plain"}
        alert={problem.bad && last}
      >
        {retriable && (
          <Button size="sm" disabled={retry.isPending} onClick={() => retry.mutate(turn)}>
            <RotateCcw aria-hidden="true" />
            Retry
          </Button>
        )}
      </Notice>
    </div>
  );
}
