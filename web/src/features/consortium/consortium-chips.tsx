/** Who sits in the consortium, who judges, by which settings: each a chip that opens its choice. */
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, Plus, RotateCcw, Scale, SlidersHorizontal } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { ChipsProps } from "@/features/arena/mode-feature";
import { seatColor } from "@/features/consortium/members";
import { presetsQuery, withName } from "@/features/consortium/presets-api";
import {
  currentSetup,
  type Group,
  memberSeats,
  mostMembers,
  type Setup,
  sameSetup,
  setupOfMatch,
  sizeOf,
  wholeBrief,
  withMembers,
} from "@/features/consortium/setup";
import { cn } from "@/lib/cn";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";
import { Skeleton } from "@/ui/skeleton";

const SeatChoice = lazy(() =>
  import("@/features/consortium/seat-choice").then((part) => ({ default: part.SeatChoice })),
);
const SettingsPanel = lazy(() =>
  import("@/features/consortium/settings-panel").then((part) => ({ default: part.SettingsPanel })),
);
const PresetMenu = lazy(() =>
  import("@/features/consortium/preset-menu").then((part) => ({ default: part.PresetMenu })),
);

export function ConsortiumChips(props: ChipsProps) {
  const { models, info, record, onSetup } = props;
  const { data: presets } = useQuery(presetsQuery);
  const current = currentSetup(props);
  if (!current || !models || !info) return null;
  const setup = withName(info.brief_schema, current, presets);
  const changed = record && !sameSetup(info.brief_schema, setup, setupOfMatch(record));
  const nameOf = (id: string) => models.find((model) => model.id === id)?.name ?? id;
  const seats = memberSeats(setup.members);
  const room = mostMembers(info) - sizeOf(setup);
  const change = (members: Group[]) => onSetup(withMembers(setup, members));
  const replace = (index: number, group: Group | null) => {
    const others = setup.members.filter((each, at) => at === index || each.model !== group?.model);
    const at = others.indexOf(setup.members[index] as Group);
    change(group ? others.with(at, group) : others.toSpliced(at, 1));
  };
  return (
    <>
      <fieldset className={cn(ROW, "basis-full sm:flex-wrap")}>
        <legend className="sr-only">The members</legend>
        {setup.members.map((group, index) => (
          <Chip
            key={group.model}
            label={`Member: ${nameOf(group.model)}${group.count > 1 ? `, ${group.count} times` : ""}`}
            title="Member"
            face={
              <>
                <Dots from={seats.findIndex((seat) => seat.model === group.model)} count={group.count} />
                <span className="truncate">{nameOf(group.model)}</span>
                {group.count > 1 && <span className="num text-ink-3">×{group.count}</span>}
              </>
            }
          >
            {(close) => (
              <SeatChoice
                value={group.model}
                count={group.count}
                most={group.count + room}
                onCount={(count) => replace(index, { ...group, count })}
                onRemove={setup.members.length > 1 ? () => replace(index, null) : undefined}
                onChoose={(model) => {
                  replace(index, { ...group, model });
                  close();
                }}
              />
            )}
          </Chip>
        ))}
        {room > 0 && (
          <Chip label="Add a member" title="Add a member" face={<Plus aria-hidden="true" />} bare>
            {(close) => (
              <SeatChoice
                value={null}
                onChoose={(model) => {
                  const at = setup.members.findIndex((group) => group.model === model);
                  const known = setup.members[at];
                  change(
                    known
                      ? setup.members.with(at, { ...known, count: known.count + 1 })
                      : [...setup.members, { model, count: 1 }],
                  );
                  close();
                }}
              />
            )}
          </Chip>
        )}
      </fieldset>
      <fieldset className={cn(ROW, "max-sm:basis-full sm:flex-1 sm:basis-0")}>
        <legend className="sr-only">Arbiter and settings</legend>
        <Chip
          label={`Arbiter: ${nameOf(setup.arbiter)}`}
          title="Arbiter"
          gives
          face={
            <>
              <Scale aria-hidden="true" />
              <span className="truncate">{nameOf(setup.arbiter)}</span>
            </>
          }
        >
          {(close) => (
            <SeatChoice
              value={setup.arbiter}
              onChoose={(arbiter) => {
                onSetup({ ...setup, arbiter } satisfies Setup);
                close();
              }}
            />
          )}
        </Chip>
        <Chip
          label="Settings"
          title="Settings"
          face={
            <>
              <SlidersHorizontal aria-hidden="true" />
              <span className="num whitespace-nowrap">
                {summaryOf(wholeBrief(info.brief_schema, setup.brief))}
              </span>
            </>
          }
        >
          {() => <SettingsPanel schema={info.brief_schema} setup={setup} nameOf={nameOf} onSetup={onSetup} />}
        </Chip>
        <Chip
          label={setup.preset ? `Saved consortium: ${setup.preset.name}` : "Saved consortia"}
          title="Saved consortia"
          face={<span className="max-w-36 truncate">{setup.preset?.name ?? "Saved"}</span>}
        >
          {(close) => (
            <PresetMenu
              schema={info.brief_schema}
              setup={setup}
              nameOf={nameOf}
              onSetup={onSetup}
              onClose={close}
            />
          )}
        </Chip>
        {changed && (
          <IconButton
            size="icon-sm"
            side="top"
            label="Take the changes back"
            hint="Changed: the next turn carries on from the last synthesis. Click to take the changes back."
            onClick={() => onSetup(null)}
          >
            <RotateCcw />
          </IconButton>
        )}
      </fieldset>
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
function Dots({ from, count }: { from: number; count: number }) {
  return (
    <span aria-hidden="true" className="flex gap-0.5">
      {Array.from({ length: count }, (_, index) => from + index).map((place) => (
        <i key={place} className="size-2 rounded-full" style={{ background: seatColor(place) }} />
      ))}
    </span>
  );
}

/** The settings that matter most, in a few signs. */
function summaryOf(brief: Record<string, unknown>): string {
  const threshold = Number(brief.confidence_threshold ?? 0.8).toFixed(2);
  const [least, most] = [Number(brief.minimum_iterations ?? 1), Number(brief.max_iterations ?? 3)];
  const rounds = least === most ? `${most}` : `${least}–${most}`;
  const strategy = brief.strategy === "default" ? "" : ` · ${brief.strategy}`;
  return `≥ ${threshold} · ${rounds} ${most === 1 ? "round" : "rounds"}${strategy}`;
}
