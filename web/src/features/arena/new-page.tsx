/** The first thing seen: one question, the composer, and four ways to begin. */

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { modesQuery } from "@/api/queries";
import { useRetryFailed } from "@/api/use-retry-failed";
import { Column } from "@/components/column";
import { Logo } from "@/components/logo";
import { ArenaComposer } from "@/features/arena/arena-composer";
import { ArenaHeader } from "@/features/arena/arena-header";
import { useComposer } from "@/features/arena/composer-store";
import { NO_MATCHES, useFeature, useModes } from "@/features/arena/mode-feature";
import { NotHad } from "@/features/arena/session-states";
import { STRINGS } from "@/features/arena/strings";
import { useTitle } from "@/lib/use-title";

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
  const retry = useRetryFailed();
  useTitle(feature.newLabel);

  if (query.isError && !query.data)
    return <NotHad error={query.error} text={STRINGS.tryAgainLater} onRetry={retry} />;
  return (
    <>
      <ArenaHeader
        mode={shown}
        onMode={(next) => navigate({ to: "/", search: { mode: next }, replace: true })}
        hint={feature.hint}
      />
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <Column className="flex flex-col">
          <div className="my-auto flex flex-col items-center gap-1.5 py-8 text-center low:py-2">
            <Logo className="mb-3 size-11 low:hidden" />
            <h1 className="text-2xl font-semibold tracking-tight text-balance max-sm:text-xl low:text-lg">
              {feature.headline}
            </h1>
            <p className="text-md text-balance text-ink-2 low:hidden">{feature.subline}</p>
          </div>
          <ArenaComposer
            sessionId={null}
            feature={feature}
            matches={NO_MATCHES}
            wantedModel={model}
            from={null}
            onLeave={() => undefined}
            examples={(send) => (
              <Examples prompts={feature.examples ?? STRINGS.examplePrompts} onSend={send} />
            )}
          />
        </Column>
      </div>
    </>
  );
}

function Examples({ prompts, onSend }: { prompts: readonly string[]; onSend: (text: string) => void }) {
  return (
    <ul aria-label={STRINGS.examples} className="grid gap-2 sm:grid-cols-2">
      {prompts.map((text) => (
        <li key={text}>
          <button
            type="button"
            onClick={() => onSend(text)}
            className="h-full w-full touch:min-h-11 rounded-md border border-line px-3.5 py-2.5 text-left text-sm text-ink-2 transition-colors hover:border-line-strong hover:bg-surface hover:text-ink"
          >
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}
