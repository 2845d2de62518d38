/** The table of limits: whose, how much of it is used, and when it resets. */
import { Globe, Image, KeyRound, TriangleAlert, User, Users } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import type { Limit } from "@/api/limits";
import { type Column, figureColumn, Table } from "@/components/table";
import { amountText, amountWords, METERS, waitText } from "@/features/limits/amounts";
import { LimitBar } from "@/features/limits/limit-bar";
import { exactTime } from "@/lib/time";

const ICONS = { installation: Globe, person: User, workspace: Users, api_key: KeyRound } as const;

interface LimitTableProps {
  limits: readonly Limit[];
  /** Who looks at it: their own limits are called theirs. */
  own: string | undefined;
  menu?: (limit: Limit) => ReactNode;
}

export function LimitTable({ limits, own, menu }: LimitTableProps) {
  const columns = useMemo(() => columnsFor(own, menu), [own, menu]);
  return (
    <Table
      label="Limits"
      columns={columns}
      rows={limits}
      rowKey={(limit) => limit.id}
      rowProps={() => ({ className: "[&>*]:h-[54px] [&>*]:py-1!" })}
      fixed
    />
  );
}

const columnsFor = (
  own: string | undefined,
  menu: ((limit: Limit) => ReactNode) | undefined,
): Column<Limit>[] => [
  {
    header: "Whose",
    names: true,
    width: "w-[27%] max-sm:w-[36%]",
    cell: (limit) => <Whose limit={limit} own={own} />,
  },
  { header: "Use", cell: (limit) => <Use limit={limit} /> },
  figureColumn("Spent", (limit) => amountText(limit.meter, limit.spent), { width: "w-20", narrow: "lg" }),
  figureColumn("Held", (limit) => amountText(limit.meter, limit.held), {
    width: "w-18",
    narrow: "2xl",
    hint: "For calls that are running",
  }),
  figureColumn("Left", (limit) => <Left limit={limit} />, { width: "w-22" }),
  figureColumn(
    "Resets in",
    (limit) => (
      <time dateTime={limit.resets_at} title={exactTime(limit.resets_at)}>
        {waitText(limit.resets_at, Date.now())}
      </time>
    ),
    { width: "w-26", narrow: "md", quiet: true },
  ),
  ...(menu ? [{ header: "Actions", silent: true, width: "w-13", className: "text-right", cell: menu }] : []),
];

function Whose({ limit, own }: { limit: Limit; own: string | undefined }) {
  const Icon = limit.meter === "images" ? Image : ICONS[limit.subject.kind];
  const isOwn = limit.subject.kind === "person" && limit.subject.id === own;
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-3 max-sm:hidden" />
      <span className="min-w-0">
        <span className="block truncate font-medium">{isOwn ? "You" : limit.subject.name}</span>
        <span className="block truncate text-xs text-ink-2">
          {METERS[limit.meter]}, a {limit.period}
        </span>
      </span>
    </span>
  );
}

function Use({ limit }: { limit: Limit }) {
  const { meter, raised_by, raised_until, unconfirmed } = limit;
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <LimitBar limit={limit} />
      <span className="flex min-w-0 flex-wrap gap-x-2 text-xs text-ink-2">
        <span className="num whitespace-nowrap">of {amountText(meter, limit.cap)}</span>
        {raised_by !== null && raised_until !== null && (
          <span className="num text-accent sm:whitespace-nowrap">
            + {amountText(meter, raised_by)} until{" "}
            {new Date(raised_until).toLocaleDateString("en", { day: "numeric", month: "short" })}
          </span>
        )}
        {unconfirmed > 0 && (
          <span
            className="whitespace-nowrap"
            title="Held by a process that was killed; its provider may not have billed it."
          >
            {amountText(meter, unconfirmed)} unconfirmed
          </span>
        )}
      </span>
    </span>
  );
}

function Left({ limit }: { limit: Limit }) {
  const words = amountWords(limit.meter, limit.left);
  if (limit.left > 0) {
    return (
      <span title={words} className="font-semibold">
        {amountText(limit.meter, limit.left)}
      </span>
    );
  }
  return (
    <span className="inline-flex items-center justify-end gap-1 font-semibold text-bad">
      <TriangleAlert aria-hidden="true" className="size-3.5" />
      none
    </span>
  );
}
