/** The composer with the mode's chips, plan and errors around it. */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { aboutQuery, modelsQuery } from "@/api/queries";
import type { MatchRecord } from "@/api/types";
import { AskError } from "@/features/arena/ask-error";
import { Composer } from "@/features/arena/composer";
import { useComposer } from "@/features/arena/composer-store";
import { type ContinueFrom, lastTurn, type ModeFeature, useModes } from "@/features/arena/mode-feature";
import { useAsk } from "@/features/arena/use-ask";
import { useChatModel } from "@/features/arena/use-chat-model";
import { useStop } from "@/features/arena/use-turn-actions";
import { overlayOpen, useHotkeys } from "@/lib/hotkeys";
import { useMedia } from "@/lib/use-media";
import { isUnfinished } from "@/turn/reduce-turn";

interface ArenaComposerProps {
  sessionId: string | null;
  feature: ModeFeature;
  /** The session's last match, of whatever mode. */
  active: MatchRecord | null;
  /** The model that the address asks for. */
  wantedModel: string | undefined;
  from: ContinueFrom | null;
  onLeave: () => void;
  examples?: (send: (text: string) => void) => ReactNode;
}

export function ArenaComposer({
  sessionId,
  feature,
  active,
  wantedModel,
  from,
  onLeave,
  examples,
}: ArenaComposerProps) {
  const { data: about } = useQuery(aboutQuery);
  const input = useRef<HTMLTextAreaElement>(null);
  const place = sessionId ?? "new";
  const { send, sending, refused, clearError } = useAsk(sessionId, feature.name);
  const stop = useStop();
  const turn = lastTurn(active);
  const running = turn !== null && isUnfinished(turn.status);
  const record = active?.match.mode === feature.name ? active : null;
  const seated = record?.match.seats[0]?.model?.id;
  const { model, choose } = useChatModel(wantedModel, seated);
  const { data: models } = useQuery(modelsQuery);
  const info = useModes().find((each) => each.info.name === feature.name)?.info;
  const chosen = useComposer((state) => state.setups[feature.name]);
  const setSetup = useComposer((state) => state.setSetup);
  const onSetup = (setup: unknown) => setSetup(feature.name, place, setup);
  // In a session that has a match of this mode, only what was chosen there counts.
  const setup = chosen && (!record || chosen.place === place) ? chosen.setup : null;
  const situation = { record, model, from, models, info, setup };
  const plan = running ? ({ kind: "wait", why: "Still being answered" } as const) : feature.plan(situation);
  const draft = useComposer((state) => state.drafts[place] ?? "");

  const wantsFocus = useMedia("(hover: hover)") && (sessionId === null || feature.keepsFocus);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new place or mode brings the focus back
  useEffect(() => {
    if (wantsFocus) input.current?.focus({ preventScroll: true });
  }, [place, feature.name, wantsFocus]);

  useHotkeys({ Escape: () => turn && stop.mutate(turn) }, () => running && !overlayOpen());

  return (
    <div className="flex flex-col gap-3">
      {refused?.text === draft.trim() && <AskError error={refused.error} onDismiss={clearError} />}
      <Composer
        place={place}
        placeholder={feature.placeholder(record)}
        limit={about?.max_prompt_chars ?? 30_000}
        sending={sending && !running}
        blocked={plan.kind === "wait" ? plan.why : null}
        onSend={(text) => {
          // The next thing to do with a ballot is to vote, and its keys act only outside of text.
          if (!feature.keepsFocus) input.current?.blur();
          send(text, plan);
        }}
        onStop={running ? () => turn && stop.mutate(turn) : undefined}
        inputRef={input}
        estimate={feature.Estimate && !running && <feature.Estimate situation={situation} draft={draft} />}
      >
        <feature.Chips {...situation} onSetup={onSetup} onModel={choose} onLeave={onLeave} />
      </Composer>
      {examples && feature.Saved && <feature.Saved onSetup={onSetup} />}
      {examples?.((text) => {
        useComposer.getState().setDraft(place, text);
        send(text, plan);
      })}
    </div>
  );
}
