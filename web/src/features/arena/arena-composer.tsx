/** The composer with the mode's chips, plan and errors around it. */

import { useQuery } from "@tanstack/react-query";
import { memo, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { aboutQuery, modelsQuery } from "@/api/queries";
import type { MatchRecord } from "@/api/types";
import { lazyPart } from "@/components/lazy-part";
import { AskError } from "@/features/arena/ask-error";
import { AttachButton } from "@/features/arena/attachments/attach-button";
import { DraftFiles } from "@/features/arena/attachments/lazy-parts";
import { Composer } from "@/features/arena/composer";
import { useComposer, useSetup } from "@/features/arena/composer-store";
import { given, hasText, inputWords } from "@/features/arena/inputs";
import {
  type Choosing,
  type ContinueFrom,
  type InputType,
  lastTurn,
  type ModeFeature,
  type Plan,
  useModes,
} from "@/features/arena/mode-feature";
import { STRINGS } from "@/features/arena/strings";
import { useAsk } from "@/features/arena/use-ask";
import { useChatModel } from "@/features/arena/use-chat-model";
import { useSaying } from "@/features/arena/use-saying";
import { useStop } from "@/features/arena/use-turn-actions";
import { firstPlace, searched } from "@/features/templates/place";
import { TemplateChip, TemplateList } from "@/features/templates/templates";
import { focusAtEnd } from "@/lib/focus-composer";
import { overlayOpen, typing, useHotkeys } from "@/lib/hotkeys";
import { takeTyped } from "@/lib/type-ahead";
import { useMedia } from "@/lib/use-media";
import { isUnfinished } from "@/turn/reduce-turn";

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

export const ArenaComposer = memo(function ArenaComposer({
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
  const { model, choose } = useChatModel(wantedModel, seated);
  const { data: models } = useQuery(modelsQuery);
  const modes = useModes();
  const info = modes.find((each) => each.info.name === feature.name)?.info;
  const { send, say, sending, refused, clearError } = useAsk(sessionId, feature.name, info?.takes_files);
  const [hold, setHold] = useState<string | null>(null);
  const setSetup = useComposer((state) => state.setSetup);
  const onSetup = (setup: unknown) => setSetup(feature.name, place, setup);
  // In a session that has a match of this mode, and in a mode that forgets, only what was chosen there counts.
  const carries = !feature.forgets && !matches.some(({ match }) => match.mode === feature.name);
  const setup = useSetup(feature.name, place, carries);
  const situation = { record, matches, model, from, models, info, setup };
  const plan = planOf(feature, situation, running, modes.length > 0 && !info);
  const draft = useComposer((state) => state.drafts[place] ?? "");
  const keys = useRef<((key: string) => boolean) | null>(null);
  const wanted = searched(draft);
  const insert = (text: string) => {
    // What was typed stays, unless it is the search or the text itself.
    const before =
      wanted === null && draft.trim() && draft.trim() !== text.trim() ? `${draft.trimEnd()}\n\n` : "";
    const whole = before + text;
    const [start = text.length, end = start] = firstPlace(text) ?? [];
    const select = () => {
      focusAtEnd(input.current);
      input.current?.setSelectionRange(before.length + start, before.length + end);
    };
    flushSync(() => useComposer.getState().setDraft(place, whole));
    // The first place to fill in is ready to be typed over, at once and after a menu has given the focus back.
    select();
    setTimeout(() => input.current?.value === whole && select());
  };
  const words = feature.saying;
  const saying = useSaying(info, record, running, plan, words);
  const { chosen, wordless } = saying;
  const listens = running && saying.types.length > 0;
  const give = (type: InputType, text: string) => {
    const input = given(type, text, chosen.seat);
    saying.choose(null);
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

  return (
    <div className="flex flex-col gap-3">
      {examples?.((text) => {
        send({ type: "prompt", text }, plan);
      })}
      {examples && feature.Saved && <feature.Saved onSetup={onSetup} />}
      <div className="sticky bottom-0 flex flex-col gap-3 bg-page pb-3 sm:pb-3.5">
        {refused?.text === draft.trim() && <AskError error={refused.error} onDismiss={clearError} />}
        {wanted !== null && <TemplateList wanted={wanted} keys={keys} onChoose={insert} />}
        <Composer
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
          above={<DraftFiles place={place} situation={situation} plan={plan} onHold={setHold} />}
          estimate={feature.Estimate && !running && <feature.Estimate situation={situation} draft={draft} />}
        >
          <feature.Chips {...situation} onSetup={onSetup} onModel={choose} onLeave={onLeave} />
          {info?.takes_files && <AttachButton place={place} />}
          <TemplateChip draft={draft} onChoose={insert} />
          {saying.types.length > 1 && (
            <InputChip
              types={saying.types}
              value={chosen}
              seats={saying.seats}
              onChange={saying.choose}
              saying={words}
              nameOf={record && words ? (seat) => words.seatName(record, seat) : undefined}
            />
          )}
        </Composer>
      </div>
    </div>
  );
});

/** What the next prompt will do; nothing while an answer comes, or where the mode is not on the server any more. */
function planOf(feature: ModeFeature, situation: Choosing, running: boolean, gone: boolean): Plan {
  if (running) return { kind: "wait", why: STRINGS.answering };
  if (gone) return { kind: "wait", why: STRINGS.modeMissing };
  return feature.plan(situation);
}
