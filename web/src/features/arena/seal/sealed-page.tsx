/** A sealed session that is not open in this tab: its passkey or passphrase opens it. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { useId, useState } from "react";
import { asApiError } from "@/api/problem";
import { sessionKey } from "@/api/queries";
import { getSeal } from "@/api/requests";
import { openWrap } from "@/features/arena/seal/seal-crypto";
import { LOST, wordsFor } from "@/features/arena/seal/seal-words";
import { learnKey } from "@/lib/seal-keys";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Skeleton } from "@/ui/skeleton";

export function SealedPage({ sessionId }: { sessionId: string }) {
  useTitle("Sealed session");
  const client = useQueryClient();
  const [typed, setTyped] = useState("");
  const field = useId();
  const { data, error } = useQuery({
    queryKey: ["seal", sessionId],
    queryFn: ({ signal }) => getSeal(sessionId, { signal }),
  });
  const wrap = data?.wraps[0];
  const open = useMutation({
    mutationFn: async () => wrap && learnKey(await openWrap(wrap, typed), sessionId),
    onSuccess: () => client.resetQueries({ queryKey: sessionKey(sessionId) }),
  });
  const byPasskey = wrap?.kind === "passkey";
  return (
    <div className="grid min-h-0 flex-1 place-items-center overflow-y-auto p-4">
      <form
        className="flex w-full max-w-sm flex-col gap-4 text-sm"
        onSubmit={(event) => {
          event.preventDefault();
          if (byPasskey || typed) open.mutate();
        }}
      >
        <Lock aria-hidden="true" className="size-6 text-ink-3" />
        <div>
          <h1 className="text-lg font-semibold">This session is sealed</h1>
          <p className="mt-1 text-ink-2">
            It is stored encrypted. {byPasskey ? "Its passkey" : "Its passphrase"} opens it in this tab, until
            you close or reload it.
          </p>
        </div>
        {wrap && !byPasskey && (
          <div className="flex flex-col gap-1.5">
            <label htmlFor={field} className="font-medium">
              Passphrase
            </label>
            <Field
              id={field}
              type="password"
              autoComplete="current-password"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
        )}
        {(open.error ?? error) && (
          <p role="alert" className="text-bad">
            {open.error ? wordsFor(open.error) : asApiError(error).message}
          </p>
        )}
        {wrap ? (
          <Button type="submit" variant="primary" disabled={open.isPending || !(byPasskey || typed)}>
            {open.isPending ? "Opening…" : byPasskey ? "Open with passkey" : "Open"}
          </Button>
        ) : (
          !error && <Skeleton className="h-9" />
        )}
        <p className="text-ink-2">{LOST}</p>
      </form>
    </div>
  );
}
