/** Who sits where: a chip for each model or seat of a group. */

import { EyeOff, type LucideIcon, Plus, SlidersHorizontal, User } from "lucide-react";
import type { ComponentType } from "react";
import type { ModeCard, SeatSettings } from "@/api/types";
import { Chip, chosenPart } from "@/components/chip";
import { useComposer } from "@/features/arena/composer-store";
import {
  byModel,
  freePlaces,
  type Group,
  type Lineup,
  type Place,
  placesIn,
  settingsOf,
  withChange,
  withoutPlaces,
  withPlace,
} from "@/features/lineup/lineup";
import { seatColor } from "@/features/lineup/seat-colors";
import { addTitle } from "@/features/lineup/words";
import { cn } from "@/lib/cn";
import { titled } from "@/lib/format";

const SeatChoice = chosenPart(() => import("@/features/lineup/seat-choice").then((part) => part.SeatChoice));

interface SeatsProps {
  info: ModeCard;
  lineup: Lineup;
  nameOf: (id: string) => string;
  onLineup: (lineup: Lineup) => void;
  /** By seat its colour, where it is not its place among the others. */
  colors?: Readonly<Record<string, number>>;
}

/** What a mode says of a seat besides its model. */
export interface SeatLook {
  /** What the seat is called, in place of its group's role. */
  titleOf: (info: ModeCard, lineup: Lineup, seat: string) => string;
  /** The name of what can be said of it, and the form. */
  label: string;
  Part: ComponentType<SeatsProps & { seat: string }>;
}

export interface GroupProps extends SeatsProps {
  group: Group;
  look?: SeatLook | undefined;
}

/** Those of a group that may be several: a chip for each model, or for each seat where seats have settings. */
export function Members({ info, lineup, group, nameOf, onLineup, look, colors }: GroupProps) {
  const places = placesIn(info, lineup, group);
  const dots = colorsIn(places, colors);
  const free = freePlaces(info, lineup, group);
  const chips = info.seating.settings
    ? places.map(({ name, model }) => ({ model, names: [name] }))
    : byModel(places);
  return (
    <>
      {chips.map(({ model, names }) => (
        <Chip
          key={names[0]}
          label={`${look?.titleOf(info, lineup, names[0] ?? "") ?? titled(group.role)}: ${nameOf(model)}${names.length > 1 ? `, ${names.length} times` : ""}`}
          title={titled(group.role)}
          face={
            <>
              <Dots at={names.map((name) => dots[places.findIndex((place) => place.name === name)] ?? 0)} />
              {look && <span className="truncate">{look.titleOf(info, lineup, names[0] ?? "")}</span>}{" "}
              <span className={cn("truncate", look && "text-ink-3")}>{nameOf(model)}</span>
              <Unseeing model={model} />
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
                most: names.length + free,
                onCount: (count: number) =>
                  onLineup(
                    count > names.length
                      ? withPlace(info, lineup, group, model)
                      : withoutPlaces(lineup, names.slice(count)),
                  ),
              })}
              {...settingsOfSeat({ info, lineup, onLineup }, names)}
              {...(look && {
                own: {
                  label: look.label,
                  form: <look.Part {...{ info, lineup, nameOf, onLineup }} seat={names[0] ?? ""} />,
                },
              })}
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
      {free > 0 && (
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

/** Stands at a model that cannot see a picture of the draft. */
function Unseeing({ model }: { model: string }) {
  const unseeing = useComposer((state) => state.unseeing.includes(model));
  return unseeing && <EyeOff aria-label="can’t read pictures" className="text-bad" />;
}

/** A seat for one. */
export function Single({
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
      label={`${role}: ${place ? nameOf(place.model) : "none"}`}
      title={role}
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
  { info, lineup, onLineup }: Pick<SeatsProps, "info" | "lineup" | "onLineup">,
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
      <span className="sr-only">with custom settings</span>
    </>
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

const colorsIn = (places: readonly Place[], colors: SeatsProps["colors"]): number[] =>
  places.map(({ name }, at) => colors?.[name] ?? at);

/** The dots of a whole group. */
export const MemberDots = ({ places, colors }: { places: readonly Place[] } & Pick<SeatsProps, "colors">) => (
  <Dots at={colorsIn(places, colors)} />
);
