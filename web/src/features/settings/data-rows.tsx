/** The data: where it is, how large, a copy of it, and its deletion. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download, RefreshCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { type DataSummary, dataQuery } from "@/api/data";
import { applyOffline, OFFLINE } from "@/api/offline";
import { asApiError } from "@/api/problem";
import { OnOff, Setting, Variable } from "@/components/setting";
import { DeleteDialog } from "@/features/settings/delete-dialog";
import { ImportSessions } from "@/features/settings/import-sessions";
import { STRINGS } from "@/features/settings/strings";
import { useDataJobs } from "@/features/settings/use-data-jobs";
import { counted, formatBytes } from "@/lib/format";
import { useJobs } from "@/lib/job-store";
import { useStored } from "@/lib/stored";
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
  const jobs = useJobs((state) => state.jobs);
  const { save, rebuild } = useDataJobs(data);
  const runs = (id: string) => jobs.some((job) => job.id === id);
  return (
    <>
      <Setting name={STRINGS.dataFolder} about={data.folder}>
        <span className="num text-sm whitespace-nowrap text-ink-2">{formatBytes(data.bytes)}</span>
        <Variable name="PARLEY_DATA_DIR" />
      </Setting>
      <Setting name={STRINGS.database} about={data.database}>
        <Variable name="PARLEY_DATABASE_URL" />
      </Setting>
      <Setting
        name={STRINGS.exportSessions}
        about={STRINGS.exportSessionsHint(counted(data.sessions, "session"), counted(data.presets, "preset"))}
      >
        <Button disabled={runs("export")} onClick={save}>
          <Download aria-hidden="true" />
          {STRINGS.exportSessions}
        </Button>
      </Setting>
      <ImportSessions />
      {"serviceWorker" in navigator && <OfflineReading />}
      <Setting name={STRINGS.exportVotes} about={STRINGS.exportVotesHint(counted(data.votes, "vote"))}>
        <Button asChild>
          <Link to="/votes" search={{}}>
            {STRINGS.openVotes}
          </Link>
        </Button>
      </Setting>
      <Setting name={STRINGS.rebuildLeaderboard} about={STRINGS.rebuildHint}>
        <Button disabled={runs("rebuild")} onClick={rebuild}>
          <RefreshCw aria-hidden="true" />
          {STRINGS.rebuild}
        </Button>
      </Setting>
      <Setting name={STRINGS.deleteEverything} about={STRINGS.deleteHint}>
        <Button className="text-bad!" onClick={() => setDeleting(true)}>
          <Trash2 aria-hidden="true" />
          {STRINGS.deleteEverything}
        </Button>
      </Setting>
      {deleting && <DeleteDialog data={data} onClose={() => setDeleting(false)} />}
    </>
  );
}

function OfflineReading() {
  const [on, setOn] = useStored(OFFLINE, true);
  return (
    <Setting name={STRINGS.offline} about={STRINGS.offlineHint}>
      <OnOff
        label={STRINGS.offline}
        on={on}
        onChange={(next) => {
          setOn(next);
          applyOffline();
        }}
      />
    </Setting>
  );
}
