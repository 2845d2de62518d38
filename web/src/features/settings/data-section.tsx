/** The data: where it is, how large, a copy of it, and its deletion. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download, RefreshCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { type DataSummary, dataQuery } from "@/api/data";
import { asApiError } from "@/api/problem";
import { DeleteDialog } from "@/features/settings/delete-dialog";
import { Section, Setting, Variable } from "@/features/settings/section";
import { useDataJobs } from "@/features/settings/use-data-jobs";
import { counted, formatBytes } from "@/lib/format";
import { useJobs } from "@/lib/job-store";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

export function DataSection() {
  const { data, error } = useQuery(dataQuery);
  return (
    <Section
      id="data"
      title="Data"
      about="Saved where Parley runs. Prompts are sent only to the models that answer them."
    >
      {data && <DataSettings data={data} />}
      {!data && error && <Setting name={asApiError(error).message} about={asApiError(error).detail} />}
      {!data && !error && <Skeleton className="m-4 h-40" />}
    </Section>
  );
}

function DataSettings({ data }: { data: DataSummary }) {
  const [deleting, setDeleting] = useState(false);
  const jobs = useJobs((state) => state.jobs);
  const { save, rebuild } = useDataJobs(data);
  const runs = (id: string) => jobs.some((job) => job.id === id);
  return (
    <>
      <Setting name="Data folder" about={data.folder}>
        <span className="num text-sm whitespace-nowrap text-ink-2">{formatBytes(data.bytes)}</span>
        <Variable name="PARLEY_DATA_DIR" />
      </Setting>
      <Setting name="Database" about={data.database}>
        <Variable name="PARLEY_DATABASE_URL" />
      </Setting>
      <Setting
        name="Export sessions"
        about={`${counted(data.sessions, "session")} and ${counted(data.presets, "preset")} as JSON Lines.`}
      >
        <Button disabled={runs("export")} onClick={save}>
          <Download aria-hidden="true" />
          Export sessions
        </Button>
      </Setting>
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
      <Setting name="Rebuild the leaderboard" about="Recount all votes and correct what differs.">
        <Button disabled={runs("rebuild")} onClick={rebuild}>
          <RefreshCw aria-hidden="true" />
          Rebuild
        </Button>
      </Setting>
      <Setting
        name="Delete everything"
        about="Deletes all sessions and presets. Votes keep counting, without their texts."
      >
        <Button className="text-bad!" onClick={() => setDeleting(true)}>
          <Trash2 aria-hidden="true" />
          Delete everything
        </Button>
      </Setting>
      {deleting && <DeleteDialog data={data} onClose={() => setDeleting(false)} />}
    </>
  );
}
