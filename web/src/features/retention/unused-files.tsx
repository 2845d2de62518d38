/** Files that nothing needs any more: what they take, and their removal before their time. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "@/api/problem";
import { removeUnusedFiles, type UnusedFiles as Unused, unusedFilesQuery } from "@/api/retention";
import { Setting } from "@/components/setting";
import { counted, formatBytes } from "@/lib/format";
import { ago } from "@/lib/time";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Select } from "@/ui/select";

const GRACE = [
  { value: "0", label: "All of them" },
  { value: "1", label: "Unused for a day" },
  { value: "3", label: "Unused for 3 days" },
];

export function UnusedFiles() {
  const { data, error } = useQuery(unusedFilesQuery(0));
  const [open, setOpen] = useState(false);
  return (
    <Setting
      name="Unused files"
      about={error ? asApiError(error).message : data ? summary(data) : "Counting…"}
    >
      <Button disabled={!data?.files} onClick={() => setOpen(true)}>
        Free space
      </Button>
      {open && <Removal onClose={() => setOpen(false)} />}
    </Setting>
  );
}

function Removal({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [days, setDays] = useState("1");
  const { data, error } = useQuery(unusedFilesQuery(Number(days)));
  const remove = useMutation({
    mutationFn: () => removeUnusedFiles(Number(days)),
    onSuccess: ({ files, bytes }) => {
      showToast(`Removed ${counted(files, "file")}, ${formatBytes(bytes)}`);
      onClose();
      return client.invalidateQueries({ queryKey: ["unused-files"] });
    },
    onError: (problem) => showToast(asApiError(problem).message, { tone: "bad" }),
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Remove unused files?" titled>
      <div className="flex flex-col gap-4 px-5 pt-2 pb-5">
        <Select aria-label="Files to remove" value={days} onChange={setDays} options={GRACE} />
        <p className="text-sm text-ink-2">
          {error ? asApiError(error).message : data ? consequence(data) : "Counting…"}
        </p>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={!data?.files || remove.isPending}
            onClick={() => remove.mutate()}
          >
            {data?.files ? `Remove ${counted(data.files, "file")}` : "Remove files"}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function summary({ files, bytes, oldest, kept_days }: Unused): string {
  if (!files) return "No unused files.";
  const since = oldest ? `, the oldest deleted ${ago(oldest)}` : "";
  return `${counted(files, "file")} of deleted conversations and uploads, ${formatBytes(bytes)}${since}. They are removed after ${kept_days} days, so that a restored database still has them.`;
}

function consequence({ files, bytes, oldest }: Unused): string {
  if (!files) return "No file was unused for that long.";
  const since = oldest ? `, the oldest deleted ${ago(oldest)}` : "";
  return `${counted(files, "file")}, ${formatBytes(bytes)}${since}. They can’t be restored. A copy of the database from before they were deleted then lacks them.`;
}
