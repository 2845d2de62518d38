/** An earlier battle that is void: who failed and how, once the next battle has revealed its models. */

import { useQuery } from "@tanstack/react-query";
import { CircleSlash } from "lucide-react";
import { failuresQuery } from "@/api/failures";
import { sessionQuery } from "@/api/queries";
import type { MatchView, SessionView, TurnView } from "@/api/types";
import { ModelMark } from "@/components/model-mark";
import { isRevealedAfter } from "@/features/battle/void-state";

export function PastVoid({ match, turn }: { match: MatchView; turn: TurnView }) {
  const { data: revealed = false } = useQuery({
    ...sessionQuery(match.session_id),
    select: (view: SessionView) => isRevealedAfter(view, match),
  });
  const { data } = useQuery({ ...failuresQuery(turn.id), enabled: revealed });
  return (
    <div className="flex flex-col gap-1.5 text-sm text-ink-2">
      <p className="flex items-center gap-2">
        <CircleSlash aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
        <span>
          <span className="font-medium">Void.</span> Nothing was counted.
          {!data && !revealed && " Which model failed is shown once you have voted on the next battle."}
        </span>
      </p>
      {data?.failures.map(({ model, problem }) => (
        <p key={model.id} className="flex items-start gap-2 [overflow-wrap:anywhere]">
          <ModelMark organization={model.organization} name={model.name} />
          <span>
            <span className="font-medium text-ink">{model.name}</span> couldn’t answer: {problem.title}{" "}
            {problem.detail && <span className="text-ink-3">{problem.detail}</span>}
          </span>
        </p>
      ))}
    </div>
  );
}
