/** Who sits where, by which settings, and what was saved: each a chip that opens its choice. */

import { useQuery } from "@tanstack/react-query";
import { type LucideIcon, RotateCcw, SlidersHorizontal } from "lucide-react";
import type { ComponentType } from "react";
import { Chip, chosenPart } from "@/components/chip";
import type { ChipsProps } from "@/features/arena/mode-feature";
import { FoldedMembers } from "@/features/lineup/folded-members";
import {
  chosenGroups,
  currentLineup,
  type Lineup,
  lineupOfMatch,
  placesIn,
  sameLineup,
  wholeBrief,
} from "@/features/lineup/lineup";
import { colorsOf } from "@/features/lineup/plan";
import { PresetMenu } from "@/features/lineup/preset-menu";
import { isChanged, presetsQuery, withName } from "@/features/lineup/presets-api";
import { MemberDots, Members, type SeatLook, Single } from "@/features/lineup/seat-chips";
import type { SettingsProps } from "@/features/lineup/settings-form";
import { LINE_UPS, type SavedWords } from "@/features/lineup/words";
import { cn } from "@/lib/cn";
import { counted, titled } from "@/lib/format";
import { useMedia } from "@/lib/use-media";
import { IconButton } from "@/ui/icon-button";

const SettingsForm = chosenPart(() =>
  import("@/features/lineup/settings-form").then((part) => part.SettingsForm),
);

/** Where a mode says more of its line-up than the server does. */
export interface LineupLook {
  words?: SavedWords;
  icons?: Record<string, LucideIcon>;
  /** The settings that matter most, in a few signs. */
  summary?: (brief: Record<string, unknown>) => string;
  Settings?: ComponentType<SettingsProps>;
  /** What happens to a match whose line-up was changed. */
  changed?: string;
  /** Makes the settings go with who sits there. */
  tidy?: (lineup: Lineup) => Lineup;
  /** What is said of each member besides the model. */
  seat?: SeatLook;
  /** Line-ups that come with the mode; above the saved ones. */
  Ready?: ComponentType<SettingsProps & { onClose: () => void }>;
}

const CHANGED = "Changed. Applies from the next turn.";

export function LineupChips({ look = {}, ...props }: ChipsProps & { look?: LineupLook }) {
  const { models, info, record, onSetup } = props;
  const { data: presets } = useQuery({ ...presetsQuery(info?.name ?? ""), enabled: info !== undefined });
  const wide = useMedia("(min-width: 640px)");
  const current = currentLineup(props);
  if (!current || !models || !info) return null;
  const lineup = withName(info, current, presets);
  const { tidy = (whole: Lineup) => whole, words = LINE_UPS, Settings = SettingsForm } = look;
  const onLineup = (next: Lineup) => onSetup(tidy(next));
  const nameOf = (id: string) => models.find((model) => model.id === id)?.name ?? id;
  const shared = { info, lineup, nameOf, onLineup, colors: colorsOf(props, lineup) };
  const groups = chosenGroups(info);
  const several = groups.filter((group) => group.most > 1);
  const single = groups.filter((group) => group.most === 1);
  const fields = (info.brief_schema as { properties?: object }).properties ?? {};
  const changed = record && !sameLineup(info, lineup, lineupOfMatch(info, record));
  const differs = isChanged(info, lineup, presets);
  const summary = look.summary?.(wholeBrief(info.brief_schema, lineup.brief));
  const members = several.flatMap((group) => placesIn(info, lineup, group));
  const chips = (
    <>
      <div className={cn(ROW, several.length > 0 && "basis-full has-data-folded:basis-auto", "empty:hidden")}>
        {several.map((group) => (
          <fieldset key={group.role} className={ROW}>
            <legend className="sr-only">{titled(group.role)}s</legend>
            {wide ? (
              <FoldedMembers {...shared} group={group} look={look.seat} />
            ) : (
              <Members {...shared} group={group} look={look.seat} />
            )}
          </fieldset>
        ))}
        {single.map((group) => (
          <Single key={group.role} {...shared} group={group} icon={look.icons?.[group.role]} />
        ))}
      </div>
      <fieldset className={cn(ROW, "max-sm:basis-full")}>
        <legend className="sr-only">Settings</legend>
        {Object.keys(fields).length > 0 && (
          <Chip
            label={summary ? `Settings: ${summary}` : "Settings"}
            title="Settings"
            face={
              <>
                <SlidersHorizontal aria-hidden="true" />
                <span className="num whitespace-nowrap">{summary ?? "Settings"}</span>
              </>
            }
          >
            {() => <Settings {...shared} />}
          </Chip>
        )}
        {groups.length > 0 && (
          <Chip
            label={
              lineup.preset ? `${words.one}: ${lineup.preset.name}${differs ? ", changed" : ""}` : words.all
            }
            title={words.all}
            face={
              <>
                <span className="max-w-36 truncate">{lineup.preset?.name ?? words.chip ?? words.all}</span>
                {differs && <span className="text-ink-3">changed</span>}
              </>
            }
          >
            {(close) => (
              <>
                {look.Ready && <look.Ready {...shared} onClose={close} />}
                <PresetMenu {...shared} words={words} onClose={close} />
              </>
            )}
          </Chip>
        )}
        {changed && (
          <IconButton
            size="icon-sm"
            side="top"
            label="Discard changes"
            hint={`${look.changed ?? CHANGED} Click to discard.`}
            onClick={() => onSetup(null)}
          >
            <RotateCcw />
          </IconButton>
        )}
      </fieldset>
    </>
  );
  if (wide || members.length === 0) return chips;
  const facts = [counted(members.length, "model"), summary].filter(Boolean).join(" · ");
  // A phone has no room for them beside what is being read.
  return (
    <Chip
      label={`Models and settings: ${facts}`}
      title="Models and settings"
      face={
        <>
          <MemberDots places={members} colors={shared.colors} />
          <span className="num truncate">{facts}</span>
        </>
      }
    >
      {() => <div className="flex flex-wrap items-center gap-2 p-3">{chips}</div>}
    </Chip>
  );
}

const ROW = "flex min-w-0 flex-wrap items-center gap-1.5";
