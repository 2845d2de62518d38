/** How long things are stored, by kind; a shorter time shows first what would be deleted. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { meQuery } from "@/api/me";
import { asApiError } from "@/api/problem";
import { type Preview, previewQuery, type Retention, retentionQuery, setRetention } from "@/api/retention";
import { Setting } from "@/components/setting";
import { AnonymisedExport } from "@/features/retention/anonymised-export";
import { KeptRows } from "@/features/retention/kept-rows";
import { UnusedFiles } from "@/features/retention/unused-files";
import { formatCount } from "@/lib/format";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Select } from "@/ui/select";

const CHOICES = [7, 30, 90, 180, 365, 730];

export function RetentionRows() {
  const { data: me } = useQuery(meQuery);
  return me?.may_manage ? <Rows /> : null;
}

function Rows() {
  const { data } = useQuery(retentionQuery);
  return (
    <>
      {data?.kinds.map((each) => (
        <Row key={each.kind} rule={each} />
      ))}
      <UnusedFiles />
      {data && <KeptRows kept={data.others} />}
      <AnonymisedExport />
    </>
  );
}

function Row({ rule }: { rule: Retention }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState<number | null>(null);
  const set = useMutation({
    mutationFn: (days: number | null) => setRetention(rule.kind, days),
    onSuccess: ({ days }) => {
      showToast(
        days
          ? `${capital(rule.nouns)} are deleted after ${days} days`
          : `${capital(rule.nouns)} are stored until somebody deletes them`,
      );
      return client.invalidateQueries({ queryKey: retentionQuery.queryKey });
    },
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
  });
  const choose = (value: string) => {
    const days = value ? Number(value) : null;
    if (days && days < (rule.days ?? Number.POSITIVE_INFINITY)) setAsking(days);
    else set.mutate(days);
  };
  const days = [...new Set([...CHOICES, ...(rule.days ? [rule.days] : [])])].sort(
    (one, other) => one - other,
  );
  return (
    <>
      <Setting name={capital(rule.nouns)} about={rule.about}>
        <Select
          aria-label={`Delete ${rule.nouns}`}
          value={rule.days ? String(rule.days) : ""}
          disabled={set.isPending}
          onChange={choose}
          options={[
            { value: "", label: "Never delete" },
            ...days.map((each) => ({ value: String(each), label: `After ${each} days` })),
          ]}
        />
      </Setting>
      {asking && (
        <Confirm
          rule={rule}
          days={asking}
          onClose={() => setAsking(null)}
          onConfirm={() => {
            set.mutate(asking);
            setAsking(null);
          }}
        />
      )}
    </>
  );
}

interface ConfirmProps {
  rule: Retention;
  days: number;
  onClose: () => void;
  onConfirm: () => void;
}

function Confirm({ rule, days, onClose, onConfirm }: ConfirmProps) {
  const { data, error } = useQuery(previewQuery(rule.kind, days));
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${rule.nouns} after ${days} days?`}
      titled
    >
      <div className="flex flex-col gap-4 px-5 pt-2 pb-5">
        <p className="text-sm text-ink-2">
          {error ? asApiError(error).message : consequence(rule, days, data)}
        </p>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={!data} onClick={onConfirm}>
            Delete after {days} days
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function consequence({ nouns }: Retention, days: number, preview: Preview | undefined): string {
  if (!preview) return "Counting…";
  const goes = `${formatCount(preview.goes)} of ${formatCount(preview.total)} ${nouns}`;
  return preview.goes
    ? `${goes} were last changed more than ${days} days ago. They are deleted within half an hour and can’t be restored. Others follow when they are that old.`
    : `None of the ${formatCount(preview.total)} ${nouns} is that old yet. Each is deleted when it is, and can’t be restored.`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
