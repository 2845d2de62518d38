import { useQuery } from "@tanstack/react-query";
import type { MatchView } from "@/api/types";
import { useModes } from "@/features/arena/mode-feature";
import { lineupOfMatch, lineupOfPreset, sameLineup } from "@/features/lineup/lineup";
import { presetsQuery } from "@/features/lineup/presets-api";

/** The id of the model as which a match's line-up is met in blind battles; null unless it was saved as a contestant. */
export function useContestant(match: MatchView, wanted: boolean): string | null {
  const { data } = useQuery({ ...presetsQuery(match.mode), enabled: wanted });
  const info = useModes().find((each) => each.info.name === match.mode)?.info;
  if (!info || !wanted) return null;
  const lineup = lineupOfMatch(info, { match });
  const found = (data ?? []).find(
    (preset) => preset.contestant && sameLineup(info, lineup, lineupOfPreset(preset)),
  );
  return found?.model_id ?? null;
}
