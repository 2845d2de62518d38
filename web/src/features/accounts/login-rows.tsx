/** The browsers where one is signed in. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { endLogin, endOtherLogins, loginsQuery } from "@/api/accounts";
import { meQuery } from "@/api/me";
import { asApiError } from "@/api/problem";
import { RelativeTime } from "@/components/relative-time";
import { Setting } from "@/components/setting";
import { browserName } from "@/features/accounts/browser-name";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

export function LoginRows() {
  const { data: me } = useQuery(meQuery);
  return me?.mode === "shared" && me.person ? <Rows /> : null;
}

function Rows() {
  const client = useQueryClient();
  const { data } = useQuery(loginsQuery);
  const ending = {
    onSuccess: () => client.invalidateQueries({ queryKey: loginsQuery.queryKey }),
    onError: (error: unknown) => showToast(asApiError(error).message, { tone: "bad" }),
  };
  const end = useMutation({ mutationFn: endLogin, ...ending });
  const endOthers = useMutation({ mutationFn: endOtherLogins, ...ending });
  if (!data) return <Skeleton className="m-4 h-16" />;
  return (
    <>
      {data.map((login) => (
        <Setting
          key={login.id}
          name={browserName(login.agent)}
          about={
            <>
              {login.is_this ? "This browser" : <RelativeTime at={login.seen_at} />}, network {login.network}
            </>
          }
        >
          {!login.is_this && (
            <Button disabled={end.isPending} onClick={() => end.mutate(login.id)}>
              End
            </Button>
          )}
        </Setting>
      ))}
      {data.length > 1 && (
        <Setting name="All other browsers" about="Their open pages are signed out within seconds.">
          <Button disabled={endOthers.isPending} onClick={() => endOthers.mutate()}>
            End all others
          </Button>
        </Setting>
      )}
    </>
  );
}
