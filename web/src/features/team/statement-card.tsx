/** One statement: who speaks, whom it answers, what was said, the position it comes to. */

import { RefreshCw } from "lucide-react";
import { memo } from "react";
import type { MatchView } from "@/api/types";
import { ReplyProblem } from "@/features/panels/reply-problem";
import { SeatPanel } from "@/features/panels/seat-panel";
import { useAnchor } from "@/features/rounds/anchors";
import { FollowsReferences, LinkedText, StatementLink, useLinked } from "@/features/team/linked-text";
import type { Expert, Statement } from "@/features/team/read-team";
import { withoutClosing } from "@/features/team/references";
import { taskWord } from "@/features/team/words";
import { AnswerSteps } from "@/features/tools/lazy-parts";
import { partOf } from "@/lib/code-points";

interface StatementCardProps {
  match: MatchView;
  statement: Statement;
  experts: readonly Expert[];
}

export const StatementCard = memo(function StatementCard({ match, statement, experts }: StatementCardProps) {
  const { ref, expert, reply, said, turn } = statement;
  const anchor = useAnchor(ref);
  const text = said && !said.problem ? partOf(reply.text, said.start, said.end) : withoutClosing(reply.text);
  const shown = useLinked(text);
  return (
    <FollowsReferences className="team-text flex min-w-0">
      <div {...anchor} data-statement={ref} className="flex min-w-0 flex-1">
        <SeatPanel
          match={match}
          turn={turn}
          reply={reply}
          preferred={false}
          last={false}
          heading="h4"
          name={expert.role}
          about={expert.name === expert.role ? "" : expert.name}
          shown={shown}
          actions={
            <span className="num shrink-0 text-xs text-ink-3">
              <span className="max-sm:hidden">{taskWord(statement)} </span>
              {ref}
            </span>
          }
          above={
            <>
              {statement.way[0] && <AnswerSteps turn={turn} steps={statement.way} />}
              <Above statement={statement} experts={experts} />
            </>
          }
          foot={said?.position && <Position text={said.position} />}
          className="flex-1"
        />
      </div>
    </FollowsReferences>
  );
});

function Above({ statement, experts }: Omit<StatementCardProps, "match">) {
  const { said, reply } = statement;
  if (!said) return null;
  const { answers, changed, cut_off, problem } = said;
  const unsaid = problem && problem.title !== reply.error?.title;
  if (answers.length === 0 && !changed && !cut_off && !unsaid) return null;
  return (
    <div className="mb-3 flex flex-col gap-2 text-sm">
      {answers.length > 0 && (
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-3">
          Answers
          {answers.map(({ ref, seat, how }) => (
            <StatementLink
              key={ref}
              reference={ref}
              expert={experts.find((expert) => expert.seat === seat)}
              title={
                how === "said"
                  ? "The expert says so."
                  : "The expert does not say so. The text refers to this statement."
              }
            >
              {how === "found" && <span className="text-ink-3"> found in the text</span>}
            </StatementLink>
          ))}
        </p>
      )}
      {changed && (
        <div className="rounded-md border border-line-strong px-3 py-2">
          <p className="flex flex-wrap items-center gap-x-1.5 text-xs font-medium">
            <RefreshCw aria-hidden="true" className="size-3.5 text-accent" />
            Changed their mind
            {changed.how === "found" && <span className="font-normal text-ink-3">found in the text</span>}
          </p>
          <Changed text={changed.text} />
        </div>
      )}
      {cut_off && (
        <p className="text-ink-2">This statement reached its token limit, so its end is missing.</p>
      )}
      {unsaid && <ReplyProblem {...problem} />}
    </div>
  );
}

const Changed = ({ text }: { text: string }) => (
  <div className="quiet-text mt-0.5">
    <LinkedText text={text} />
  </div>
);

const Position = ({ text }: { text: string }) => (
  <div className="border-t border-line px-3.5 py-2">
    <p className="text-xs text-ink-3">Position</p>
    <div className="quiet-text">
      <LinkedText text={text} />
    </div>
  </div>
);
