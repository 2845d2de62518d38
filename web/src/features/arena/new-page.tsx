/** The first thing seen: the message in the middle, what each mode does, and what was done last. */

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { aboutQuery, modesQuery } from "@/api/queries";
import { useRetryFailed } from "@/api/use-retry-failed";
import { Column } from "@/components/column";
import { lazyExtra } from "@/components/lazy-part";
import { PageHeader } from "@/components/page-header";
import { ArenaComposer } from "@/features/arena/arena-composer";
import { useComposer } from "@/features/arena/composer-store";
import { examplesOf } from "@/features/arena/examples";
import { ModeCards } from "@/features/arena/mode-cards";
import { NO_MATCHES, useFeature, useModes } from "@/features/arena/mode-feature";
import { NotHad } from "@/features/arena/session-states";
import { useTitle } from "@/lib/use-title";

const StartLists = lazyExtra(() => import("@/features/arena/start-lists").then((part) => part.StartLists));

export function NewPage() {
  const { mode, model } = useSearch({ from: "/" });
  const modes = useModes();
  const remembered = useComposer((state) => state.mode);
  const navigate = useNavigate();
  // Until the server's list is here, the address is believed: nothing may go to another mode meanwhile.
  const known = (name: string | undefined) =>
    modes.length > 0 ? modes.some((each) => each.info.name === name) : name !== undefined;
  const shown = [mode, remembered, modes[0]?.info.name].find(known) ?? "battle";
  const feature = useFeature(shown);
  const query = useQuery(modesQuery);
  const { data: about } = useQuery(aboutQuery);
  const retry = useRetryFailed();
  useTitle(feature.newLabel);
  const choose = useCallback(
    (next: string) => {
      useComposer.getState().setMode(next);
      navigate({ to: "/", search: { mode: next }, replace: true });
    },
    [navigate],
  );

  if (query.isError && !query.data)
    return <NotHad error={query.error} text="Try again in a moment." onRetry={retry} />;
  const examples = about ? examplesOf(feature, about.demo) : [];
  return (
    <>
      <PageHeader bare />
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        {/* From the top, not in the middle: what comes below it later must not move it away from under a pointer. */}
        <div className="mt-[clamp(1rem,50vh-26rem,11vh)] flex w-full flex-col pb-10 max-sm:mt-[5vh] max-sm:pb-6 low:mt-0">
          <div className="px-4 pb-7 text-center max-sm:pb-4 low:pb-3">
            <h1 className="text-[34px] leading-[1.15] font-semibold tracking-[-0.026em] text-balance max-sm:text-[27px] low:text-lg">
              One question, many models
            </h1>
            <p className="mt-2 text-md text-balance text-ink-2 sm:text-[16px] low:hidden">
              Vote blind, compare them, or let them agree on an answer.
            </p>
          </div>
          <Column className="flex flex-col">
            <ArenaComposer
              sessionId={null}
              feature={feature}
              matches={NO_MATCHES}
              wantedModel={model}
              from={null}
              onLeave={() => undefined}
              examples={(send) => <Examples prompts={examples} onSend={send} />}
            />
          </Column>
          {about && <ModeCards value={shown} onChange={choose} />}
          {about && <StartLists />}
        </div>
      </div>
    </>
  );
}

function Examples({ prompts, onSend }: { prompts: readonly string[]; onSend: (text: string) => void }) {
  return (
    <ul
      aria-label="Examples"
      className="-mx-3 flex min-h-9 gap-2 overflow-x-auto px-3 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:justify-center sm:px-0 xl:-mx-24"
    >
      {prompts.map((text) => (
        <li key={text} className="shrink-0">
          <button
            type="button"
            onClick={() => onSend(text)}
            className="min-h-8 touch:min-h-11 rounded-full border border-line bg-surface px-3.5 text-sm text-ink-2 transition-colors hover:border-line-strong hover:text-ink"
          >
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}
