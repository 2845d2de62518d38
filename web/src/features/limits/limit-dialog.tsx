/** Adds a limit, or changes one. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { addLimit, changeLimit, type Limit, limitSubjectsQuery, limitsKey } from "@/api/limits";
import { amountIn, METERS, writtenAmount } from "@/features/limits/amounts";
import { LimitForm } from "@/features/limits/limit-form";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Labelled } from "@/ui/labelled";
import { Segmented } from "@/ui/segmented";
import { Select } from "@/ui/select";

type Meter = Limit["meter"];
type Kind = Limit["subject"]["kind"];

const KINDS: Record<Kind, string> = {
  installation: "",
  person: "Person: ",
  workspace: "Workspace: ",
  api_key: "API key: ",
};

const METER_OPTIONS = Object.entries(METERS).map(([value, label]) => ({
  value,
  label: label.charAt(0).toUpperCase() + label.slice(1),
}));

export function LimitDialog({ limit, onClose }: { limit?: Limit; onClose: () => void }) {
  const client = useQueryClient();
  const [subject, setSubject] = useState("installation:");
  const [meter, setMeter] = useState<Meter>(limit?.meter ?? "money");
  const [period, setPeriod] = useState<Limit["period"]>(limit?.period ?? "month");
  const plainCap = limit ? limit.cap - (limit.raised_by ?? 0) : null;
  const [cap, setCap] = useState(plainCap === null ? "" : writtenAmount(meter, plainCap));
  const [warn, setWarn] = useState(String(limit?.warn_percent ?? 80));
  const [unpriced, setUnpriced] = useState<Limit["unpriced"]>(limit?.unpriced ?? "refuse");
  const amount = amountIn(meter, cap);
  const percent = Number(warn);
  const save = useMutation({
    mutationFn: () => {
      const terms = { cap: amount ?? 0, warn_percent: percent, unpriced };
      const [kind, id = ""] = subject.split(":");
      return limit
        ? changeLimit(limit.id, terms)
        : addLimit({ subject_kind: kind as Kind, subject_id: id, meter, period, ...terms });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: limitsKey }).then(onClose),
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={limit ? `Limit of ${limit.subject.name}` : "New limit"}
      titled
    >
      <LimitForm
        submit={limit ? "Save limit" : "Add limit"}
        busy={save.isPending}
        error={save.error}
        ready={amount !== null && Number.isInteger(percent) && percent >= 1 && percent <= 100}
        onSubmit={() => save.mutate()}
      >
        {!limit && <SubjectField value={subject} onChange={setSubject} />}
        {!limit && (
          <div className="grid grid-cols-2 gap-3">
            <Labelled label="In">
              {(id) => (
                <Select
                  id={id}
                  value={meter}
                  options={METER_OPTIONS}
                  onChange={(value) => setMeter(value as Meter)}
                />
              )}
            </Labelled>
            <div className="flex flex-col gap-1.5">
              <span className="text-sm font-medium">Each</span>
              <Segmented
                label="Each"
                value={period}
                onChange={setPeriod}
                options={[
                  { value: "day", label: "Day" },
                  { value: "month", label: "Month" },
                ]}
              />
            </div>
          </div>
        )}
        <div className="grid grid-cols-2 gap-3">
          <Labelled label={meter === "money" ? "Limit in US dollars" : `Limit in ${METERS[meter]}`}>
            {(id) => (
              <Field
                id={id}
                required
                autoFocus
                inputMode="decimal"
                value={cap}
                onChange={(event) => setCap(event.target.value)}
              />
            )}
          </Labelled>
          <Labelled label="Warn at, in %">
            {(id) => (
              <Field
                id={id}
                required
                inputMode="numeric"
                value={warn}
                onChange={(event) => setWarn(event.target.value)}
              />
            )}
          </Labelled>
        </div>
        {meter === "money" && (
          <Labelled
            label="Models without a price"
            hint="Nobody knows what they cost. Models on your own computer are free and always allowed."
          >
            {(id, hintId) => (
              <Select
                id={id}
                aria-describedby={hintId}
                value={unpriced}
                options={[
                  { value: "refuse", label: "Refuse them" },
                  { value: "allow", label: "Allow them; only limits in tokens count them" },
                ]}
                onChange={(value) => setUnpriced(value as Limit["unpriced"])}
              />
            )}
          </Labelled>
        )}
      </LimitForm>
    </Dialog>
  );
}

/** Whose limit it is; not shown where there is nobody but the installation. */
function SubjectField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { data } = useQuery(limitSubjectsQuery);
  if (!data || data.length < 2) return null;
  return (
    <Labelled label="Whose">
      {(id) => (
        <Select
          id={id}
          value={value}
          options={data.map((each) => ({
            value: `${each.kind}:${each.id}`,
            label: `${KINDS[each.kind]}${each.name}`,
          }))}
          onChange={onChange}
        />
      )}
    </Labelled>
  );
}
