/** The sessions of the palette: the latest, or those whose title, question or answer has what is sought. */

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { sessionsQuery } from "@/api/queries";
import { useFeature } from "@/features/arena/mode-feature";
import { Group, Item } from "@/features/palette/parts";
import { STRINGS } from "@/features/palette/strings";

const LATEST = 6;
const FOUND = 12;

interface SessionItemsProps {
  wanted: string;
  act: (action: () => void) => () => void;
  /** Called once other sessions are listed. */
  onFound: () => void;
}

export function SessionItems({ wanted, act, onFound }: SessionItemsProps) {
  const navigate = useNavigate();
  const { data, isPlaceholderData } = useInfiniteQuery({
    ...sessionsQuery({ search: wanted }),
    placeholderData: keepPreviousData,
  });
  const sessions = data?.pages[0]?.sessions.slice(0, wanted ? FOUND : LATEST) ?? [];
  const listed = sessions.map(({ id }) => id).join();
  // What the server found has the words, be it in an answer.
  const words = isPlaceholderData ? "" : wanted;
  // biome-ignore lint/correctness/useExhaustiveDependencies: called when the list, or what it is found by, has changed
  useEffect(() => {
    // cmdk ranks and renders what has come only after this.
    const frame = requestAnimationFrame(onFound);
    return () => cancelAnimationFrame(frame);
  }, [listed, words]);
  return (
    // Made anew with its items: cmdk 1.1 ranks a group wrongly once an item has left it or is called otherwise.
    <Group key={`${listed} ${words}`} heading={STRINGS.sessions}>
      {sessions.map((session) => (
        <Item
          key={session.id}
          name={session.title}
          also={`${STRINGS.sessionWords} ${words}`}
          id={session.id}
          about={session.excerpt}
          icon={<ModeIcon mode={session.mode} />}
          onSelect={act(() =>
            navigate({
              to: "/s/$session",
              params: { session: session.id },
              search: {},
              ...(session.excerpt_turn_id && { hash: session.excerpt_turn_id }),
              ...(wanted && { state: { found: wanted } }),
            }),
          )}
        />
      ))}
    </Group>
  );
}

function ModeIcon({ mode }: { mode: string }) {
  const { icon: Icon } = useFeature(mode);
  return <Icon />;
}
