/** How often each person and each API key may ask, and how many of their calls run at once. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { limitsKey, type RateRule, ratesQuery, setRate, type Who } from "@/api/limits";
import { Setting } from "@/components/setting";
import { LimitForm } from "@/features/limits/limit-form";
import { rateText } from "@/features/limits/rate-text";
import { numberIn } from "@/lib/number-in";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Labelled } from "@/ui/labelled";

const NAMES: Record<Who, string> = { person: "Each person", api_key: "Each API key" };

export function RateRows() {
  const { data } = useQuery(ratesQuery);
  const [changing, setChanging] = useState<Who | null>(null);
  if (!data) return null;
  return (
    <>
      {(Object.keys(NAMES) as Who[]).map((who) => (
        <Setting key={who} name={NAMES[who]} about={rateText(data[who])}>
          <Button aria-label={`Change rate of ${NAMES[who].toLowerCase()}`} onClick={() => setChanging(who)}>
            Change rate
          </Button>
        </Setting>
      ))}
      {changing && <RateDialog who={changing} rule={data[changing]} onClose={() => setChanging(null)} />}
    </>
  );
}

function RateDialog({ who, rule, onClose }: { who: Who; rule: RateRule; onClose: () => void }) {
  const client = useQueryClient();
  const [perMinute, setPerMinute] = useState(written(rule.per_minute));
  const [atOnce, setAtOnce] = useState(written(rule.at_once));
  const save = useMutation({
    mutationFn: () => setRate(who, { per_minute: numberIn(perMinute), at_once: numberIn(atOnce) }),
    onSuccess: () => client.invalidateQueries({ queryKey: limitsKey }).then(onClose),
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={NAMES[who]} titled>
      <LimitForm
        submit="Save rate"
        busy={save.isPending}
        error={save.error}
        ready={[perMinute, atOnce].every(isCount)}
        onSubmit={() => save.mutate()}
      >
        <div className="grid grid-cols-2 gap-3">
          <Labelled label="Questions a minute" hint="Empty for no limit.">
            {(id, hintId) => (
              <Field
                id={id}
                aria-describedby={hintId}
                inputMode="numeric"
                value={perMinute}
                onChange={(event) => setPerMinute(event.target.value)}
              />
            )}
          </Labelled>
          <Labelled
            label="Calls at once"
            hint={who === "person" ? "More wait for their turn." : "More are refused with 429."}
          >
            {(id, hintId) => (
              <Field
                id={id}
                aria-describedby={hintId}
                inputMode="numeric"
                value={atOnce}
                onChange={(event) => setAtOnce(event.target.value)}
              />
            )}
          </Labelled>
        </div>
      </LimitForm>
    </Dialog>
  );
}

const written = (value: number | null) => (value === null ? "" : String(value));

function isCount(text: string): boolean {
  const value = numberIn(text);
  return value === null || (Number.isInteger(value) && value >= 1);
}
