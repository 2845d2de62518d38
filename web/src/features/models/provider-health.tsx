/** The state of each provider: whether its latest call was answered, and why not. */

import { useQuery } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { providersQuery } from "@/api/queries";
import { RelativeTime } from "@/components/relative-time";
import { STRINGS } from "@/features/models/strings";
import { cn } from "@/lib/cn";
import { filled } from "@/lib/filled";

type Health = components["schemas"]["ProviderHealth"];

const STATES = { ok: STRINGS.stateOk, failing: STRINGS.stateFailing, paused: STRINGS.statePaused };

const DOTS = { ok: "bg-good", failing: "bg-bad", paused: "bg-bad" };

export function ProviderHealth() {
  const { data } = useQuery(providersQuery);
  if (!data?.length) return null;
  return (
    <section
      id="health"
      aria-labelledby="provider-health"
      className="mt-4 max-w-read rounded-lg border border-line bg-surface p-4"
    >
      <h2 id="provider-health" className="mb-1.5 font-semibold">
        {STRINGS.healthTitle}
      </h2>
      <ul className="flex flex-col gap-2 text-sm">
        {data.map((health) => (
          <Line key={health.provider} health={health} />
        ))}
      </ul>
      <p className="mt-2 text-xs text-ink-3">{STRINGS.healthHint}</p>
    </section>
  );
}

function Line({ health }: { health: Health }) {
  return (
    <li className="flex items-baseline gap-2">
      <i aria-hidden="true" className={cn("size-2 shrink-0 rounded-full", DOTS[health.state])} />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p>
          <span className="font-medium">{health.provider}</span>{" "}
          <span className="text-ink-2">
            {STATES[health.state]}
            {health.retry_in_s ? STRINGS.retryingIn(health.retry_in_s) : ""}
          </span>
          {health.since && (
            <span className="text-ink-3">
              {filled(STRINGS.since, { when: <RelativeTime at={health.since} /> })}
            </span>
          )}
        </p>
        {health.error && <p className="text-ink-2">{health.error}</p>}
        {health.advice && <p className="text-ink-3">{health.advice}</p>}
      </div>
    </li>
  );
}
