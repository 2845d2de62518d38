/** Limits with their use: everybody's for administrators, one's own for everybody else. */
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { type Limit, limitsQuery, myLimitsQuery } from "@/api/limits";
import { meQuery } from "@/api/me";
import { useMayManage } from "@/api/permissions";
import { Setting } from "@/components/setting";
import { BarLegend } from "@/features/limits/limit-bar";
import { LimitDialog } from "@/features/limits/limit-dialog";
import { LimitMenu } from "@/features/limits/limit-menu";
import { LimitTable } from "@/features/limits/limit-table";
import { RateRows } from "@/features/limits/rate-rows";
import { Button } from "@/ui/button";

export function LimitRows() {
  return useMayManage() ? <EveryLimit /> : <MyLimits />;
}

function MyLimits() {
  const { data: me } = useQuery(meQuery);
  const { data } = useQuery({ ...myLimitsQuery, enabled: Boolean(me?.person), refetchInterval: 15_000 });
  return data && data.length > 0 ? <LimitTable limits={data} own={me?.person?.id} /> : null;
}

function EveryLimit() {
  const { data: me } = useQuery(meQuery);
  const { data } = useQuery(limitsQuery);
  const [adding, setAdding] = useState(false);
  const [changing, setChanging] = useState<Limit | null>(null);
  if (!data) return null;
  const some = data.length > 0;
  return (
    <>
      {some && (
        <LimitTable
          limits={data}
          own={me?.person?.id}
          menu={(limit) => <LimitMenu limit={limit} onChange={() => setChanging(limit)} />}
        />
      )}
      <Setting
        name={some ? "New limit" : "No limits yet"}
        about={
          some ? (
            <BarLegend />
          ) : (
            "A limit stops calls before they cost more money, tokens or requests than you allow in a day or month."
          )
        }
      >
        <Button onClick={() => setAdding(true)}>
          <Plus aria-hidden="true" />
          Add limit
        </Button>
      </Setting>
      {me?.mode === "shared" && <RateRows />}
      {adding && <LimitDialog onClose={() => setAdding(false)} />}
      {changing && <LimitDialog limit={changing} onClose={() => setChanging(null)} />}
    </>
  );
}
