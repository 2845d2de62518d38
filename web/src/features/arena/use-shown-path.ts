/** The way through a session that is shown: as a person picked it, or to the turn that the address names. */

import { useLocation } from "@tanstack/react-router";
import { useContext, useMemo, useState } from "react";
import type { SessionView } from "@/api/types";
import { type Picks, pathOf, picksTo } from "@/features/arena/branches";
import { FeatureContext } from "@/features/arena/mode-feature";
import type { Branching } from "@/features/arena/turn-place";
import { useStored } from "@/lib/stored";

interface ShownPath {
  view: SessionView | undefined;
  branching: Branching;
}

export function useShownPath(sessionId: string, whole: SessionView | undefined): ShownPath {
  const featureOf = useContext(FeatureContext);
  const [stored, setPicks] = useStored<Picks>(`branches.${sessionId}`, {});
  const hash = useLocation({ select: (location) => location.hash });
  const [left, setLeft] = useState("");
  const named = hash === left ? "" : hash;
  const branches = useMemo(() => (mode: string) => featureOf(mode).branches === true, [featureOf]);
  // Only as they are at first: what is asked there later is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const toNamed = useMemo(
    () => (whole && named ? picksTo(named, whole.matches, branches) : {}),
    [!whole, named],
  );
  const picks = useMemo(() => ({ ...stored, ...toNamed }), [stored, toNamed]);
  const path = useMemo(() => whole && pathOf(whole.matches, picks, branches), [whole, picks, branches]);
  const view = useMemo(() => whole && path && { ...whole, matches: [...path.matches] }, [whole, path]);
  const branching = useMemo<Branching>(
    () => ({
      forks: path?.forks ?? new Map(),
      pick: ({ place, ways }, way) => {
        const turn = ways[way];
        setLeft(hash);
        if (turn) setPicks({ ...picks, [place]: { turn, of: ways.length } });
      },
    }),
    [path, picks, setPicks, hash],
  );
  return { view, branching };
}
