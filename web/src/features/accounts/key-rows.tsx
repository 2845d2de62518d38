/** The address for other programs, and the API keys that open it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { type ApiKey, keysQuery, revokeKey } from "@/api/keys";
import { meQuery } from "@/api/me";
import { asApiError } from "@/api/problem";
import { CopyButton } from "@/components/copy-button";
import { RelativeTime } from "@/components/relative-time";
import { Setting } from "@/components/setting";
import { KeyDialog } from "@/features/accounts/key-dialog";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";

export function KeyRows() {
  const { data: me } = useQuery(meQuery);
  if (!me?.person) return null;
  const shared = me.mode === "shared";
  const address = `${location.origin}/v1`;
  return (
    <>
      <Setting
        name="Base URL"
        about={shared ? "Programs send one of your keys." : "Any API key works on this computer."}
      >
        <code className="min-w-0 font-mono text-sm [overflow-wrap:anywhere]">{address}</code>
        <CopyButton text={address} label="Copy base URL" />
      </Setting>
      {shared && me.person.role !== "guest" && <Keys />}
    </>
  );
}

function Keys() {
  const client = useQueryClient();
  const { data } = useQuery(keysQuery);
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const revoke = useMutation({
    mutationFn: revokeKey,
    onSuccess: () => client.invalidateQueries({ queryKey: keysQuery.queryKey }),
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
    onSettled: () => setRevoking(null),
  });
  return (
    <>
      {data?.keys.map((key) => (
        <Setting key={key.id} name={key.name} about={<About apiKey={key} />}>
          <Button aria-label={`Revoke ${key.name}`} onClick={() => setRevoking(key)}>
            Revoke
          </Button>
        </Setting>
      ))}
      <Setting name="New key" about="For a program or a computer of yours.">
        <Button variant="primary" onClick={() => setMaking(true)}>
          <Plus aria-hidden="true" />
          Make key
        </Button>
      </Setting>
      {making && <KeyDialog onClose={() => setMaking(false)} />}
      <Dialog
        open={revoking !== null}
        onOpenChange={(open) => !open && setRevoking(null)}
        title={`Revoke “${revoking?.name}”?`}
        titled
      >
        <div className="flex flex-col gap-4 px-5 pt-2 pb-5">
          <p className="text-sm text-ink-2">Programs that use this key are refused at once.</p>
          <Button
            variant="primary"
            className="self-end"
            disabled={revoke.isPending}
            onClick={() => revoking && revoke.mutate(revoking.id)}
          >
            Revoke
          </Button>
        </div>
      </Dialog>
    </>
  );
}

function About({ apiKey }: { apiKey: ApiKey }) {
  return (
    <>
      <span className="font-mono">{apiKey.prefix}…</span>,{" "}
      {apiKey.last_used_at ? (
        <>
          used <RelativeTime at={apiKey.last_used_at} />
        </>
      ) : (
        "never used"
      )}
      {apiKey.expires_at && `, ${expiry(apiKey.expires_at, new Date())}`}
      {apiKey.models && `, only ${apiKey.models.join(", ")}`}
    </>
  );
}

/** How long a key is valid. */
export function expiry(at: string, now: Date): string {
  const date = new Date(at);
  return date <= now ? "expired" : `expires on ${date.toLocaleDateString("en", { dateStyle: "medium" })}`;
}
