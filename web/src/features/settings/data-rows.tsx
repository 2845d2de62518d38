/** The data: where it is, how large, a copy of it, and its deletion. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download, RefreshCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { type DataSummary, dataQuery } from "@/api/data";
import { applyOffline, OFFLINE } from "@/api/offline";
import { useMayManage, useMayWrite } from "@/api/permissions";
import { asApiError } from "@/api/problem";
import { OnOff, Setting, Variable } from "@/components/setting";
import { DeleteDialog } from "@/features/settings/delete-dialog";
import { ImportSessions } from "@/features/settings/import-sessions";
import { useDataJobs } from "@/features/settings/use-data-jobs";
import { counted, formatBytes } from "@/lib/format";
import { useJobs } from "@/lib/job-store";
import { useStored } from "@/lib/local-storage";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

export function DataRows() {
  const { data, error } = useQuery(dataQuery);
  if (data) return <DataSettings data={data} />;
  if (error) return <Setting name={asApiError(error).message} about={asApiError(error).detail} />;
  return <Skeleton className="m-4 h-40" />;
}

function DataSettings({ data }: { data: DataSummary }) {
  const [deleting, setDeleting] = useState(false);
  const mayManage = useMayManage();
  const mayWrite = useMayWrite();
  const jobs = useJobs((state) => state.jobs);
  const { save, rebuild } = useDataJobs(data);
  const runs = (id: string) => jobs.some((job) => job.id === id);
  return (
    <>
      {data.folder !== null && <Place {...data} />}
      <Setting
        name="Export sessions"
        about={`${counted(data.sessions, "session")} and ${counted(data.presets, "preset")} as JSON Lines.`}
      >
        <Button disabled={runs("export")} onClick={save}>
          <Download aria-hidden="true" />
          Export sessions
        </Button>
      </Setting>
      {mayWrite && <ImportSessions />}
      {"serviceWorker" in navigator && <OfflineReading />}
      {mayManage && (
        <Setting
          name="Export votes"
          about={`${counted(data.votes, "vote")} as CSV, JSON Lines or Parquet, in LMArena’s columns.`}
        >
          <Button asChild>
            <Link to="/votes" search={{}}>
              Open My votes
            </Link>
          </Button>
        </Setting>
      )}
      {mayManage && (
        <Setting name="Rebuild the leaderboard" about="Recount all votes and correct what differs.">
          <Button disabled={runs("rebuild")} onClick={rebuild}>
            <RefreshCw aria-hidden="true" />
            Rebuild
          </Button>
        </Setting>
      )}
      {mayWrite && (
        <Setting
          name="Delete everything"
          about="Deletes all sessions and saved line-ups. Votes keep counting, without their texts."
        >
          <Button className="text-bad!" onClick={() => setDeleting(true)}>
            <Trash2 aria-hidden="true" />
            Delete everything
          </Button>
        </Setting>
      )}
      {deleting && <DeleteDialog data={data} onClose={() => setDeleting(false)} />}
    </>
  );
}

/** Where the data is, for who may manage it. */
const Place = ({ folder, database, bytes }: DataSummary) => (
  <>
    <Setting name="Data folder" about={folder}>
      <span className="num text-sm whitespace-nowrap text-ink-2">{formatBytes(bytes ?? 0)}</span>
      <Variable name="PARLEY_DATA_DIR" />
    </Setting>
    <Setting name="Database" about={database}>
      <Variable name="PARLEY_DATABASE_URL" />
    </Setting>
  </>
);

function OfflineReading() {
  const [on, setOn] = useStored(OFFLINE, true);
  return (
    <Setting
      name="Offline reading"
      about="Keeps your 20 most recent sessions in this browser, so you can read them while the server is down. Battles are kept once you have voted."
    >
      <OnOff
        label="Offline reading"
        on={on}
        onChange={(next) => {
          setOn(next);
          applyOffline();
        }}
      />
    </Setting>
  );
}
