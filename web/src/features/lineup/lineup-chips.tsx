/** Who sits where, by which settings, and what was saved: each a chip that opens its choice. */
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, type LucideIcon, Plus, RotateCcw, SlidersHorizontal, User } from "lucide-react";
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from "react";
import type { ModeCard, SeatSettings } from "@/api/types";
import type { ChipsProps } from "@/features/arena/mode-feature";
import {
  byModel,
  chosenGroups,
  currentLineup,
  type Group,
  type Lineup,
  lineupOfMatch,
  placesIn,
  roomIn,
  sameLineup,
  settingsOf,
  wholeBrief,
  withChange,
  withoutPlaces,
  withPlace,
} from "@/features/lineup/lineup";
import { presetsQuery, withName } from "@/features/lineup/presets-api";
import { seatColor } from "@/features/lineup/seat-colors";
import { addTitle, LINE_UPS, type SavedWords, titled } from "@/features/lineup/words";
import { cn } from "@/lib/cn";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";
import { Skeleton } from "@/ui/skeleton";

const SeatChoice = lazy(() =>
  import("@/features/lineup/seat-choice").then((part) => ({ default: part.SeatChoice })),
);
const SettingsForm = lazy(() =>
  import("@/features/lineup/settings-form").then((part) => ({ default: part.SettingsForm })),
);
const PresetMenu = lazy(() =>
  import("@/features/lineup/preset-menu").then((part) => ({ default: part.PresetMenu })),
);

export interface SettingsProps {
  info: ModeCard;
  lineup: Lineup;
  nameOf: (id: string) => string;
  onLineup: (lineup: Lineup) => void;
}

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
}

const CHANGED = "Changed: it holds from the next turn on.";

export function LineupChips({ look = {}, ...props }: ChipsProps & { look?: LineupLook }) {
  const { models, info, record, onSetup } = props;
  const { data: presets } = useQuery({ ...presetsQuery(info?.name ?? ""), enabled: info !== undefined });
  const current = currentLineup(props);
  if (!current || !models || !info) return null;
  const lineup = withName(info, current, presets);
  const { tidy = (whole: Lineup) => whole, words = LINE_UPS, Settings = SettingsForm } = look;
  const onLineup = (next: Lineup) => onSetup(tidy(next));
  const nameOf = (id: string) => models.find((model) => model.id === id)?.name ?? id;
  const shared = { info, lineup, nameOf, onLineup };
  const groups = chosenGroups(info);
  const several = groups.filter((group) => group.most > 1);
  const single = groups.filter((group) => group.most === 1);
  const fields = (info.brief_schema as { properties?: object }).properties ?? {};
  const changed = record && !sameLineup(info, lineup, lineupOfMatch(info, record));
  return (
    <>
      {several.map((group) => (
        <fieldset key={group.role} className={cn(ROW, "basis-full sm:flex-wrap")}>
          <legend className="sr-only">The {group.role}s</legend>
          <Members {...shared} group={group} />
        </fieldset>
      ))}
      <fieldset className={cn(ROW, "max-sm:basis-full sm:flex-1 sm:basis-0")}>
        <legend className="sr-only">
          {titled([...single.map(({ role }) => role), "settings"].join(" and "))}
        </legend>
        {single.map((group) => (
          <Single key={group.role} {...shared} group={group} icon={look.icons?.[group.role]} />
        ))}
        {Object.keys(fields).length > 0 && (
          <Chip
            label="Settings"
            title="Settings"
            face={
              <>
                <SlidersHorizontal aria-hidden="true" />
                <span className="num whitespace-nowrap">
                  {look.summary?.(wholeBrief(info.brief_schema, lineup.brief)) ?? "Settings"}
                </span>
              </>
            }
          >
            {() => <Settings {...shared} />}
          </Chip>
        )}
        {groups.length > 0 && (
          <Chip
            label={lineup.preset ? `${words.one}: ${lineup.preset.name}` : words.all}
            title={words.all}
            face={<span className="max-w-36 truncate">{lineup.preset?.name ?? "Saved"}</span>}
          >
            {(close) => <PresetMenu {...shared} words={words} onClose={close} />}
          </Chip>
        )}
        {changed && (
          <IconButton
            size="icon-sm"
            side="top"
            label="Take the changes back"
            hint={`${look.changed ?? CHANGED} Click to take the changes back.`}
            onClick={() => onSetup(null)}
          >
            <RotateCcw />
          </IconButton>
        )}
      </fieldset>
    </>
  );
}

interface GroupProps extends SettingsProps {
  group: Group;
}

/** Those of a group that may be several: a chip for each model, or for each seat where seats have settings. */
function Members({ info, lineup, group, nameOf, onLineup }: GroupProps) {
  const places = placesIn(info, lineup, group);
  const room = roomIn(info, lineup, group);
  const chips = info.seating.settings
    ? places.map(({ name, model }) => ({ model, names: [name] }))
    : byModel(places);
  return (
    <>
      {chips.map(({ model, names }) => (
        <Chip
          key={names[0]}
          label={`${titled(group.role)}: ${nameOf(model)}${names.length > 1 ? `, ${names.length} times` : ""}`}
          title={titled(group.role)}
          face={
            <>
              <Dots at={names.map((name) => places.findIndex((place) => place.name === name))} />
              <span className="truncate">{nameOf(model)}</span>
              {names.length > 1 && <span className="num text-ink-3">×{names.length}</span>}
              {names.some((name) => settingsOf(lineup)[name]) && <OwnSettings />}
            </>
          }
        >
          {(close) => (
            <SeatChoice
              value={model}
              {...(!info.seating.settings && {
                count: names.length,
                most: names.length + room,
                onCount: (count: number) =>
                  onLineup(
                    count > names.length
                      ? withPlace(info, lineup, group, model)
                      : withoutPlaces(lineup, names.slice(count)),
                  ),
              })}
              {...settingsOfSeat({ info, lineup, onLineup }, names)}
              onRemove={
                places.length - names.length >= Math.max(1, group.least)
                  ? () => onLineup(withoutPlaces(lineup, names))
                  : undefined
              }
              onChoose={(next) => {
                onLineup(withChange(lineup, names, { model: next }));
                close();
              }}
            />
          )}
        </Chip>
      ))}
      {room > 0 && (
        <Chip label={addTitle(group)} title={addTitle(group)} face={<Plus aria-hidden="true" />} bare>
          {(close) => (
            <SeatChoice
              value={null}
              onChoose={(model) => {
                onLineup(withPlace(info, lineup, group, model));
                close();
              }}
            />
          )}
        </Chip>
      )}
    </>
  );
}

/** A seat for one. */
function Single({
  info,
  lineup,
  group,
  nameOf,
  onLineup,
  icon: Icon = User,
}: GroupProps & { icon?: LucideIcon | undefined }) {
  const place = placesIn(info, lineup, group)[0];
  const role = titled(group.role);
  return (
    <Chip
      label={`${role}: ${place ? nameOf(place.model) : "nobody"}`}
      title={role}
      gives
      face={
        <>
          <Icon aria-hidden="true" />
          <span className="truncate">{place ? nameOf(place.model) : `No ${group.role}`}</span>
          {place && settingsOf(lineup)[place.name] && <OwnSettings />}
        </>
      }
    >
      {(close) => (
        <SeatChoice
          value={place?.model ?? null}
          {...(place && settingsOfSeat({ info, lineup, onLineup }, [place.name]))}
          onRemove={
            place && group.least === 0 ? () => onLineup(withoutPlaces(lineup, [place.name])) : undefined
          }
          onChoose={(model) => {
            onLineup(
              place ? withChange(lineup, [place.name], { model }) : withPlace(info, lineup, group, model),
            );
            close();
          }}
        />
      )}
    </Chip>
  );
}

/** The settings of a seat, where the mode lets a person say them. */
function settingsOfSeat(
  { info, lineup, onLineup }: Pick<SettingsProps, "info" | "lineup" | "onLineup">,
  names: readonly string[],
) {
  if (!info.seating.settings) return {};
  const mine = lineup.places.find(({ name }) => names.includes(name));
  return {
    settings: mine?.settings ?? null,
    onSettings: (settings: SeatSettings, all: boolean) =>
      onLineup(withChange(lineup, all ? lineup.places.map(({ name }) => name) : names, { settings })),
  };
}

/** Marks a seat that is asked by settings of its own. */
function OwnSettings() {
  return (
    <>
      <SlidersHorizontal aria-hidden="true" className="size-3! text-ink-3" />
      <span className="sr-only">with settings of its own</span>
    </>
  );
}

/** On a phone a row of chips is swiped; what goes on at its end fades. */
const ROW =
  "flex min-w-0 items-center gap-1.5 max-sm:-mx-2.5 max-sm:overflow-x-auto max-sm:pr-6 max-sm:pl-2.5 max-sm:[scrollbar-width:none] max-sm:[mask-image:linear-gradient(to_right,black_calc(100%-28px),transparent)]";

interface ChipProps {
  label: string;
  title: string;
  face: ReactNode;
  bare?: boolean;
  /** Its name is cut where there is no room. */
  gives?: boolean;
  children: (close: () => void) => ReactNode;
}

function Chip({ label, title, face, bare = false, gives = false, children }: ChipProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button
          variant="chip"
          size="sm"
          className={cn("max-w-72", gives && "min-w-16 sm:shrink")}
          aria-label={label}
          title={title}
        >
          {face}
          {!bare && <ChevronDown aria-hidden="true" className="size-3.5!" />}
        </Button>
      </PopoverTrigger>
      <PopoverContent
        align="start"
        side="top"
        aria-label={label}
        className="max-h-[min(620px,var(--radix-popover-content-available-height))] w-[min(480px,calc(100vw-24px))] overflow-y-auto"
      >
        <Suspense fallback={<Skeleton className="m-3 h-40" />}>{children(() => setOpen(false))}</Suspense>
      </PopoverContent>
    </Popover>
  );
}

/** One dot per seat, in the colours that its panels will have. */
function Dots({ at }: { at: readonly number[] }) {
  return (
    <span aria-hidden="true" className="flex gap-0.5">
      {at.map((place) => (
        <i key={place} className="size-2 rounded-full" style={{ background: seatColor(place) }} />
      ))}
    </span>
  );
}
