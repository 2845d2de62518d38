/** The composer with the mode's chips, plan and errors around it. */

import { useQuery } from "@tanstack/react-query";
import { memo, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { READ_ONLY, useMayWrite } from "@/api/permissions";
import { aboutQuery, modelsQuery } from "@/api/queries";
import type { MatchRecord } from "@/api/types";
import { lazyExtra, lazyPart } from "@/components/lazy-part";
import { AskError } from "@/features/arena/ask-error";
import { AttachButton } from "@/features/arena/attachments/attach-button";
import { useHold } from "@/features/arena/attachments/hold";
import { DraftFiles } from "@/features/arena/attachments/lazy-parts";
import { attachText } from "@/features/arena/attachments/long-text";
import { Composer } from "@/features/arena/composer";
import { useComposer, useSetup } from "@/features/arena/composer-store";
import { given, hasText, inputWords } from "@/features/arena/inputs";
import {
  type Choosing,
  type ContinueFrom,
  type InputType,
  LOADING,
  lastTurn,
  type ModeFeature,
  type Plan,
  UPLOADING,
  useModes,
} from "@/features/arena/mode-feature";
import { useAsk } from "@/features/arena/use-ask";
import { useChatModel } from "@/features/arena/use-chat-model";
import { useComposerInput } from "@/features/arena/use-composer-input";
import { useStop } from "@/features/arena/use-turn-actions";
import { firstPlaceholder, searched } from "@/features/prompts/placeholders";
import { PromptChip, PromptList } from "@/features/prompts/prompts";
import { cn } from "@/lib/cn";
import { focusAtEnd } from "@/lib/focus-composer";
import { overlayOpen, typing, useHotkeys } from "@/lib/hotkeys";
import { isOpened, useSealDraft } from "@/lib/seal-keys";
import { takeTyped } from "@/lib/type-ahead";
import { useMedia } from "@/lib/use-media";
import { isUnfinished } from "@/turn/reduce-turn";

const OfferStrip = lazyExtra(() => import("@/features/arena/offer-strip").then((part) => part.OfferStrip));
const LimitNote = lazyExtra(() => import("@/features/limits/limit-note").then((part) => part.LimitNote));
const SealSwitch = lazyPart(() =>
  import("@/features/arena/seal/seal-switch").then((part) => part.SealSwitch),
);
const InputChip = lazyPart(() => import("@/features/arena/input-chip").then((part) => part.InputChip));

interface ArenaComposerProps {
  sessionId: string | null;
  feature: ModeFeature;
  /** The session's matches of whatever modes, as they are shown. Their texts lag behind while they are written. */
  matches: readonly MatchRecord[];
  /** The model that the address asks for. */
  wantedModel: string | undefined;
  from: ContinueFrom | null;
  onLeave: () => void;
  examples?: (send: (text: string) => void) => ReactNode;
}

export const ArenaComposer = memo(function ArenaComposer(props: ArenaComposerProps) {
  if (useMayWrite()) return <WritableComposer {...props} />;
  return (
    <p className="mb-3.5 rounded-lg border border-line bg-surface px-4 py-3 text-center text-sm text-ink-2">
      {READ_ONLY}
    </p>
  );
});

function WritableComposer({
  sessionId,
  feature,
  matches,
  wantedModel,
  from,
  onLeave,
  examples,
}: ArenaComposerProps) {
  const { data: about } = useQuery(aboutQuery);
  const input = useRef<HTMLTextAreaElement>(null);
  const place = sessionId ?? "new";
  const stop = useStop();
  const active = matches.at(-1) ?? null;
  const turn = lastTurn(active);
  const running = turn !== null && isUnfinished(turn.status);
  const record = active?.match.mode === feature.name ? active : null;
  const seated = record?.match.seats[0]?.model?.id;
  const { model, instructions, choose } = useChatModel(wantedModel, seated);
  const { data: models } = useQuery(modelsQuery);
  const modes = useModes();
  const info = modes.find((each) => each.info.name === feature.name)?.info;
  const { send, say, sending, refused, clearError } = useAsk(sessionId, feature.name, info?.takes_files);
  const drafted = useSealDraft(({ draft }) => draft !== null);
  const sealed = sessionId === null ? drafted : isOpened(sessionId);
  const [judged, setJudged] = useState<string | null | undefined>();
  const hold = useHold(place, judged);
  const setSetup = useComposer((state) => state.setSetup);
  const onSetup = (setup: unknown) => setSetup(feature.name, place, setup);
  // In a session that has a match of this mode, and in a mode that forgets, only what was chosen there counts.
  const carries = !feature.forgets && !matches.some(({ match }) => match.mode === feature.name);
  const setup = useSetup(feature.name, place, carries);
  const situation = { record, matches, model, from, models, info, setup, instructions };
  const plan = planOf(feature, situation, running, modes.length > 0 && !info);
  const draft = useComposer((state) => state.drafts[place] ?? "");
  const keys = useRef<((key: string) => boolean) | null>(null);
  const wanted = searched(draft);
  const insert = (text: string) => {
    // What was typed stays, unless it is the search or the text itself.
    const before =
      wanted === null && draft.trim() && draft.trim() !== text.trim() ? `${draft.trimEnd()}\n\n` : "";
    const whole = before + text;
    const [start = text.length, end = start] = firstPlaceholder(text) ?? [];
    const select = () => {
      focusAtEnd(input.current);
      input.current?.setSelectionRange(before.length + start, before.length + end);
    };
    flushSync(() => useComposer.getState().setDraft(place, whole));
    // The first place to fill in is ready to be typed over, at once and after a menu has given the focus back.
    select();
    setTimeout(() => input.current?.value === whole && select());
  };
  const words = feature.inputWords;
  const composed = useComposerInput(info, record, running, plan, words);
  const { chosen, wordless } = composed;
  const listens = running && composed.types.length > 0;
  const give = (type: InputType, text: string) => {
    const input = given(type, text, chosen.seat);
    composed.choose(null);
    return turn && listens ? say(turn.id, input) : send(input, plan);
  };

  // Where there is no mouse, the focus brings up a keyboard that covers half of the page.
  const hovers = useMedia("(hover: hover)");
  const focus = () => {
    // A session that comes late must not close the menu, or leave the field, that is in use by then.
    const used = overlayOpen() || typing(document.activeElement);
    if (hovers && !used) focusAtEnd(input.current);
  };
  // Before anything else can happen: what is typed on the way from one page to the next lands here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new place or mode brings the focus back
  useLayoutEffect(() => {
    useComposer.getState().takeOver(place, takeTyped());
    focus();
  }, [place, feature.name, hovers]);

  useHotkeys({ Escape: () => turn && stop.mutate(turn) }, () => running && !overlayOpen());

  const hero = examples !== undefined;
  return (
    <div className={cn("flex flex-col gap-3", !hero && "pb-3 sm:pb-3.5")}>
      {refused?.text === draft.trim() && <AskError error={refused.error} onDismiss={clearError} />}
      {wanted !== null && <PromptList wanted={wanted} keys={keys} onChoose={insert} />}
      <div
        className={cn(
          hero && "composer-frame overflow-clip rounded-[16px] border border-line-strong bg-surface",
        )}
      >
        <Composer
          hero={hero}
          place={place}
          takeKey={(key) => keys.current?.(key) ?? false}
          placeholder={
            chosen.type === "prompt"
              ? feature.placeholder(record ?? (plan.kind === "match" && plan.continue_seats ? active : null))
              : inputWords(chosen.type, words).placeholder
          }
          limit={about?.max_prompt_chars ?? 30_000}
          sending={sending && (listens || !running)}
          blocked={listens ? null : plan.kind === "wait" ? plan.why : hold}
          loading={plan === LOADING || hold === UPLOADING}
          onSend={(text) => {
            if (hovers) focus();
            else if (feature.follows === "panels") input.current?.blur();
            give(chosen.type, text);
          }}
          listens={listens}
          quiet={sessionId !== null && !running}
          textless={!hasText(chosen.type)}
          wordless={
            wordless && { label: inputWords(wordless, words).label, onSend: () => give(wordless, "") }
          }
          onStop={
            running
              ? () => {
                  focus();
                  if (turn) stop.mutate(turn);
                }
              : undefined
          }
          inputRef={input}
          attachText={
            info?.takes_files && about && !sealed
              ? (text, at) => attachText(place, text, at, about)
              : undefined
          }
          above={<DraftFiles place={place} situation={situation} plan={plan} onHold={setJudged} />}
          estimate={feature.Estimate && !running && <feature.Estimate situation={situation} draft={draft} />}
        >
          <feature.Chips {...situation} onSetup={onSetup} onModel={choose} onLeave={onLeave} />
          {info?.takes_files && !sealed && <AttachButton place={place} />}
          {info && (sessionId === null || sealed) && (
            <SealSwitch sessionId={sessionId} title={info.title} sealable={info.sealable} />
          )}
          <PromptChip draft={draft} onChoose={insert} />
          {composed.types.length > 1 && (
            <InputChip
              types={composed.types}
              value={chosen}
              seats={composed.seats}
              onChange={composed.choose}
              own={words}
              nameOf={record && words ? (seat) => words.seatName(record, seat) : undefined}
            />
          )}
        </Composer>
        {hero && <OfferStrip />}
      </div>
      <LimitNote />
      {hero && feature.Saved && <feature.Saved onSetup={onSetup} />}
      {examples?.((text) => {
        if (hold !== null || plan.kind === "wait") insert(text);
        else send({ type: "prompt", text }, plan);
      })}
    </div>
  );
}

/** What the next prompt will do; nothing while an answer comes, or where the mode is not on the server any more. */
function planOf(feature: ModeFeature, situation: Choosing, running: boolean, gone: boolean): Plan {
  if (running) return { kind: "wait", why: "Answering…" };
  if (gone) return { kind: "wait", why: "This mode is no longer installed" };
  return feature.plan(situation);
}
