/** The arena in the command palette: a new session, every mode, the sessions, a chat with each model. */

import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Cpu, Plus, Square } from "lucide-react";
import { useContext } from "react";
import { modelsQuery, sessionQuery, sessionsQuery } from "@/api/queries";
import type { Command, CommandContext } from "@/components/area";
import { useComposer } from "@/features/arena/composer-store";
import { FeatureContext, lastTurn, useModes } from "@/features/arena/mode-feature";
import { useStop } from "@/features/arena/use-turn-actions";
import { isUnfinished } from "@/turn/reduce-turn";

const LATEST = 6;
const FOUND = 12;

export function useCommands({ search }: CommandContext): Command[] {
  return [...useActions(), ...useModeCommands(), ...useSessionCommands(search), ...useChatCommands()];
}

function useActions(): Command[] {
  const navigate = useNavigate();
  const stop = useStop();
  const { session } = useParams({ strict: false });
  const { data } = useQuery({ ...sessionQuery(session ?? ""), enabled: session !== undefined });
  const turn = lastTurn(data?.matches.at(-1) ?? null);
  const begin: Command = {
    name: "New session",
    icon: Plus,
    hint: "N",
    order: 100,
    run: () => navigate({ to: "/", search: {} }),
  };
  if (!turn || !isUnfinished(turn.status)) return [begin];
  const end = {
    name: "Stop answers",
    icon: Square,
    hint: "Esc",
    order: 110,
    run: () => stop.mutate(turn),
  };
  return [begin, end];
}

function useModeCommands(): Command[] {
  const navigate = useNavigate();
  const setMode = useComposer((state) => state.setMode);
  return useModes().map(({ info, feature }) => ({
    name: info.title,
    also: `mode ${info.name}`,
    about: info.summary,
    icon: feature.icon,
    group: "Modes",
    order: 200,
    run: () => {
      setMode(info.name);
      navigate({ to: "/", search: { mode: info.name } });
    },
  }));
}

/** The latest sessions, or those whose title, question or answer has what is searched for. */
function useSessionCommands(search: string): Command[] {
  const navigate = useNavigate();
  const featureOf = useContext(FeatureContext);
  const { data, isPlaceholderData } = useInfiniteQuery({
    ...sessionsQuery({ search }),
    placeholderData: keepPreviousData,
  });
  // What the server found has the words, be it in an answer.
  const words = isPlaceholderData ? "" : search;
  const sessions = data?.pages[0]?.sessions.slice(0, search ? FOUND : LATEST) ?? [];
  return sessions.map((session) => ({
    name: session.title,
    also: `session ${words}`,
    id: session.id,
    about: session.excerpt,
    icon: featureOf(session.mode).icon,
    group: "Sessions",
    order: 600,
    run: () =>
      navigate({
        to: "/s/$session",
        params: { session: session.id },
        search: {},
        ...(session.excerpt_turn_id && { hash: session.excerpt_turn_id }),
        ...(search && { state: { found: search } }),
      }),
  }));
}

function useChatCommands(): Command[] {
  const navigate = useNavigate();
  const { data: models = [] } = useQuery(modelsQuery);
  return models
    .filter((model) => model.enabled)
    .map((model) => ({
      name: model.name,
      also: `chat with model ${model.organization} ${model.id}`,
      about: model.organization,
      icon: Cpu,
      group: "Chat with a model",
      order: 700,
      run: () => navigate({ to: "/", search: { mode: "chat", model: model.id } }),
    }));
}
