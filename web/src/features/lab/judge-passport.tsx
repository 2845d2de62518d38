/** A judge's passport in a sentence, or how to get one. */

import { useQuery } from "@tanstack/react-query";
import { CircleHelp, ShieldCheck } from "lucide-react";
import { judgesQuery } from "@/features/lab/judges-api";
import { exactTime } from "@/lib/time";

export function JudgePassport({ model }: { model: string }) {
  const { data: judges } = useQuery(judgesQuery);
  if (!judges) return null;
  const passport = judges.find((judge) => judge.model === model);
  const Icon = passport ? ShieldCheck : CircleHelp;
  return (
    <span className="mt-0.5 flex items-start gap-1.5 text-xs text-ink-2">
      <Icon aria-hidden="true" className="mt-0.5 size-3.5 shrink-0 text-ink-3" />
      {passport ? (
        <span title={`Measured ${exactTime(passport.measured_at)}`}>{passport.sentence}</span>
      ) : (
        <span>
          No passport yet. Measure it against your votes:{" "}
          <code className="font-mono">parley judge run {model}</code>
        </span>
      )}
    </span>
  );
}
