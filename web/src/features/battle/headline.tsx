/** What was picked, as the headline of the reveal. */
import type { ReactNode } from "react";
import type { MatchView } from "@/api/types";
import { isWithdrawn } from "@/features/arena/vote-status";
import { pickOf, sidesOf } from "@/features/battle/seats";

export function Headline({ match }: { match: MatchView }) {
  return (
    <p className="mt-0.5 animate-slide-in text-2xl leading-tight font-semibold tracking-[-0.022em] text-balance [overflow-wrap:anywhere] xl:text-[32px]">
      {textOf(match)}
    </p>
  );
}

function textOf(match: MatchView): ReactNode {
  const [first, second] = sidesOf(match).map(({ seat, alias }) => seat.model?.name ?? alias);
  const pick = pickOf(match);
  const quiet = (text: string) => <span className="text-ink-2">{text}</span>;
  if (isWithdrawn(match.vote))
    return (
      <>
        {first} {quiet("and")} {second}
      </>
    );
  const gold = (text: ReactNode) => <span className="text-gold">{text}</span>;
  if (pick === "tie" || pick === "both_bad")
    return (
      <>
        {gold(pick === "tie" ? "A tie" : "Both are bad")}
        {quiet(":")} {first} {quiet("and")} {second}
      </>
    );
  const won = sidesOf(match).find(({ seat }) => seat.name === pick);
  const name = won?.seat.model?.name ?? won?.alias;
  return (
    <>
      You picked {gold(name)} {quiet("over")} {name === first ? second : first}
    </>
  );
}
