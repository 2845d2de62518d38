/** The way through a session that is shown: as a person picked it, or to the turn that the address names. */

import { useLocation } from "@tanstack/react-router";
import { useContext, useLayoutEffect, useMemo } from "react";
import type { SessionView } from "@/api/types";
import { type Picks, pathOf, picksTo } from "@/features/arena/branches";
import { FeatureContext } from "@/features/arena/mode-feature";
import type { Branching } from "@/features/arena/turn-place";
import { useStored } from "@/lib/local-storage";

interface ShownPath {
  view: SessionView | undefined;
  branching: Branching;
}

export function useShownPath(sessionId: string, whole: SessionView | undefined): ShownPath {
  const featureOf = useContext(FeatureContext);
  const [picks, setPicks] = useStored<Picks>(`branches.${sessionId}`, {});
  const named = useLocation({ select: (location) => location.hash });
  const branches = useMemo(() => (mode: string) => featureOf(mode).branches === true, [featureOf]);
  const loaded = whole !== undefined;
  // Once, and to stay: whoever asks something there goes on from there, though the address names the turn no more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useLayoutEffect(() => {
    const there = whole && named ? picksTo(named, whole.matches, branches) : {};
    if (Object.keys(there).length > 0) setPicks({ ...picks, ...there });
  }, [loaded, named]);
  const path = useMemo(() => whole && pathOf(whole.matches, picks, branches), [whole, picks, branches]);
  const view = useMemo(() => whole && path && { ...whole, matches: [...path.matches] }, [whole, path]);
  const branching = useMemo<Branching>(
    () => ({
      forks: path?.forks ?? new Map(),
      pick: ({ place, ways }, way) => {
        const turn = ways[way];
        if (turn) setPicks({ ...picks, [place]: { turn, of: ways.length } });
      },
    }),
    [path, picks, setPicks],
  );
  return { view, branching };
}
