/** What people did, the newest first, with the check of its chain. */
import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { ShieldCheck, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { type Person, peopleQuery } from "@/api/accounts";
import { type AuditEntry, type AuditKind, type AuditReport, auditQuery, verifyAudit } from "@/api/audit";
import { meQuery } from "@/api/me";
import { asApiError } from "@/api/problem";
import { CopyButton } from "@/components/copy-button";
import { RelativeTime } from "@/components/relative-time";
import { type Column, Table } from "@/components/table";
import { formatCount } from "@/lib/format";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Select } from "@/ui/select";

const KINDS: Record<AuditKind, string> = {
  act: "What people did",
  exclusion: "Excluded votes",
  inclusion: "Votes counted again",
  import: "Imported votes",
  prior: "Published results",
};

const KIND_OPTIONS = [
  { value: "", label: "All entries" },
  ...Object.entries(KINDS).map(([value, label]) => ({ value, label })),
];

const optionsOf = (people: readonly Person[]) => people.map(({ id, name }) => ({ value: id, label: name }));

export function AuditRows() {
  const { data: me } = useQuery(meQuery);
  return me?.mode === "shared" && me.may_manage ? <Rows /> : null;
}

function Rows() {
  const [kind, setKind] = useState<AuditKind | "">("");
  const [person, setPerson] = useState("");
  const { data: everybody } = useQuery(peopleQuery);
  const people = [{ value: "", label: "Everybody" }, ...optionsOf(everybody?.people ?? [])];
  const log = useInfiniteQuery(auditQuery(kind || undefined, person || undefined));
  const verify = useMutation({
    mutationFn: verifyAudit,
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
  });
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-4 py-3">
        <Select
          aria-label="Kind of entry"
          value={kind}
          onChange={(value) => setKind(value as AuditKind | "")}
          options={KIND_OPTIONS}
        />
        <Select aria-label="Person" value={person} onChange={setPerson} options={people} />
        <span className="flex-1 max-sm:hidden" />
        <Button disabled={verify.isPending} onClick={() => verify.mutate()}>
          <ShieldCheck aria-hidden="true" />
          {verify.isPending ? "Verifying…" : "Verify the log"}
        </Button>
      </div>
      {verify.data && <Report report={verify.data} />}
      <Table
        label="Audit log"
        columns={COLUMNS}
        rows={log.data?.pages.flatMap((page) => page.entries)}
        rowKey={(entry) => String(entry.seq)}
        empty={<p className="px-4 py-8 text-center text-sm text-ink-2">There are no such entries.</p>}
        fixed
      />
      {log.hasNextPage && (
        <div className="flex justify-center px-4 py-3">
          <Button disabled={log.isFetchingNextPage} onClick={() => log.fetchNextPage()}>
            Show earlier entries
          </Button>
        </div>
      )}
    </>
  );
}

function Report({ report }: { report: AuditReport }) {
  if (report.broken)
    return (
      <p role="alert" className="flex gap-2 px-4 py-3 text-sm text-bad">
        <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        {report.broken.text} The entries before it are intact.
      </p>
    );
  return (
    <div role="status" className="px-4 py-3 text-sm">
      <p>
        All {formatCount(report.entries)} entries and {formatCount(report.votes)} votes are as they were
        written. Store the last hash elsewhere: it shows later that nothing was cut off.
      </p>
      <div className="mt-1 flex items-center gap-2">
        <code className="num min-w-0 truncate text-xs text-ink-2">{report.head}</code>
        <CopyButton text={report.head} label="Copy the hash" />
      </div>
    </div>
  );
}

const COLUMNS: Column<AuditEntry>[] = [
  {
    header: "What",
    names: true,
    cell: (entry) => (
      <span className="block min-w-0">
        <span className="block [overflow-wrap:anywhere]">{entry.name}</span>
        <span className="block truncate text-xs text-ink-3">{detailsOf(entry)}</span>
      </span>
    ),
    cellTitle: detailsOf,
  },
  {
    header: "Who",
    width: "w-36 max-sm:w-24",
    cell: ({ person, person_id }) =>
      person ?? (person_id ? <span className="text-ink-3">Deleted account</span> : ""),
  },
  { header: "When", width: "w-32", quiet: true, narrow: "md", cell: ({ at }) => <RelativeTime at={at} /> },
  { header: "Entry", width: "w-20", figures: true, quiet: true, narrow: "md", cell: ({ seq }) => seq },
];

/** The choices that were made, and the ids of what they were about. */
function detailsOf({ about }: AuditEntry): string {
  return Object.entries(about)
    .filter(([name]) => name !== "route")
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${value}`)
    .join(", ");
}
