/** Ready-made teams for common tasks, each with models on its seats at once. */

import { useQuery } from "@tanstack/react-query";
import { modelsQuery } from "@/api/queries";
import type { ModeCard } from "@/api/types";
import { currentLineup, type Lineup, sameBrief } from "@/features/lineup/lineup";
import type { SettingsProps } from "@/features/lineup/settings-form";
import { type ReadyTeam, readyTeams, seatTeam } from "@/features/team/roles";
import { cn } from "@/lib/cn";

interface ReadyTeamsProps {
  info: ModeCard;
  /** What is chosen now; null where nothing was. */
  lineup: Lineup | null;
  onLineup: (lineup: Lineup) => void;
  className?: string;
}

export function ReadyTeams({ info, lineup, onLineup, className }: ReadyTeamsProps) {
  const { data: models } = useQuery(modelsQuery);
  const teams = readyTeams(info);
  if (!models || teams.length === 0) return null;
  const usual = currentLineup({ record: null, model: null, from: null, models, info, setup: lineup });
  return (
    <section aria-label="Ready-made teams" className="flex flex-col gap-2">
      <h2 className="text-xs font-medium text-ink-3">Ready-made teams</h2>
      <ul className={cn("grid grid-cols-1 gap-2 sm:grid-cols-2", className)}>
        {teams.map((team) => {
          const seated = seatTeam(team, models, usual);
          const chosen = lineup !== null && sameBrief(info, lineup, seated);
          return (
            <li key={team.name} className="min-w-0">
              <button
                type="button"
                aria-pressed={chosen}
                onClick={() => onLineup(seated)}
                className="h-full w-full rounded-md border border-line px-3.5 py-2 text-left text-sm transition-colors hover:border-line-strong hover:bg-surface aria-pressed:border-accent/60 aria-pressed:bg-surface"
              >
                <span className="block truncate font-medium">{team.name}</span>
                <span className="line-clamp-3 text-xs text-ink-3" title={rolesOf(team)}>
                  {team.about}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const rolesOf = ({ brief }: ReadyTeam) =>
  Object.values(brief.members)
    .map(({ role }) => role)
    .join(", ");

/** The same in the menu of saved teams. */
export function ReadyMenu({ info, lineup, onLineup, onClose }: SettingsProps & { onClose: () => void }) {
  return (
    <div className="border-b border-line p-3.5">
      <ReadyTeams
        info={info}
        lineup={lineup}
        onLineup={(next) => {
          onLineup(next);
          onClose();
        }}
      />
    </div>
  );
}
