/** Teams to begin a new session with: ready-made ones, and those that were saved. */

import { useSetup } from "@/features/arena/composer-store";
import { useModes } from "@/features/arena/mode-feature";
import { isLineup } from "@/features/lineup/lineup";
import { SavedLineups } from "@/features/lineup/saved-lineups";
import { ReadyTeams } from "@/features/team/ready-teams";
import { SAVED } from "@/features/team/roles";
import { focusComposer } from "@/lib/focus-composer";

export function SavedTeams({ onSetup }: { onSetup: (setup: unknown) => void }) {
  const info = useModes().find((each) => each.info.name === "team")?.info;
  const setup = useSetup("team", "new", true);
  if (!info) return null;
  return (
    <>
      <ReadyTeams
        info={info}
        lineup={isLineup(setup) ? setup : null}
        onLineup={(lineup) => {
          onSetup(lineup);
          focusComposer();
        }}
        className="sm:grid-cols-3"
      />
      <SavedLineups mode="team" words={SAVED} onSetup={onSetup} />
    </>
  );
}
