/** Provider keys of one's own, or of a workspace: added, replaced and removed, and never shown again. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { meQuery } from "@/api/me";
import { type OwnKey, ownKeysQuery, putOwnKey, refreshOwnKeys, removeOwnKey } from "@/api/own-keys";
import { asApiError } from "@/api/problem";
import { Setting } from "@/components/setting";
import { EntranceForm, TextInput } from "@/features/accounts/entrance";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";

/** The section of one's own keys; a personal installation has none. */
export function ProviderKeyRows() {
  const { data: me } = useQuery(meQuery);
  return me?.mode === "shared" && me.person ? <ProviderKeys workspaceId={null} /> : null;
}

export function ProviderKeys({ workspaceId }: { workspaceId: string | null }) {
  const client = useQueryClient();
  const { data } = useQuery(ownKeysQuery(workspaceId));
  const [entering, setEntering] = useState<OwnKey | null>(null);
  const [removing, setRemoving] = useState<OwnKey | null>(null);
  const remove = useMutation({
    mutationFn: (provider: OwnKey) => removeOwnKey(workspaceId, provider.provider_id),
    onSuccess: (_, { name }) => {
      refreshOwnKeys(client);
      showToast(`Key for ${name} removed.`);
    },
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
    onSettled: () => setRemoving(null),
  });
  if (data?.length === 0) {
    return <Setting name="No providers" about="There is no provider here that takes a key." />;
  }
  return (
    <>
      {data?.map((provider) => (
        <Setting
          key={provider.provider_id}
          name={provider.name}
          about={aboutOf(provider, workspaceId !== null)}
        >
          {provider.last_four && (
            <Button aria-label={`Remove key for ${provider.name}`} onClick={() => setRemoving(provider)}>
              Remove
            </Button>
          )}
          <Button
            aria-label={`${provider.last_four ? "Replace" : "Add"} key for ${provider.name}`}
            onClick={() => setEntering(provider)}
          >
            <KeyRound aria-hidden="true" />
            {provider.last_four ? "Replace" : "Add key"}
          </Button>
        </Setting>
      ))}
      {entering && (
        <EnterKey provider={entering} workspaceId={workspaceId} onClose={() => setEntering(null)} />
      )}
      {removing && (
        <Dialog
          open
          onOpenChange={(open) => !open && setRemoving(null)}
          title={`Remove the key for ${removing.name}?`}
          titled
        >
          <div className="flex flex-col gap-4 px-5 pt-2 pb-5">
            <p className="text-sm text-ink-2">
              {removing.shared_key
                ? "Questions use the installation’s key from then on, unless another own key is there."
                : "Models of this provider then need another key of your own."}
            </p>
            <Button
              variant="primary"
              className="self-end"
              disabled={remove.isPending}
              onClick={() => remove.mutate(removing)}
            >
              Remove key
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** Whose key questions use now. */
export function aboutOf({ last_four, is_used, shared_key }: OwnKey, ofWorkspace: boolean): string {
  const whose = ofWorkspace ? "The workspace’s key" : "Your key";
  if (last_four && is_used) return `${whose} …${last_four} is used.`;
  const instead = shared_key
    ? "The installation’s key is used."
    : `Needs a key of ${ofWorkspace ? "the workspace’s or each member’s" : "your"} own.`;
  return last_four
    ? `${whose} …${last_four} is not sent, because the provider has moved. Add it again. ${instead}`
    : instead;
}

interface EnterKeyProps {
  provider: OwnKey;
  workspaceId: string | null;
  onClose: () => void;
}

function EnterKey({ provider, workspaceId, onClose }: EnterKeyProps) {
  const client = useQueryClient();
  const [key, setKey] = useState("");
  const save = useMutation({
    mutationFn: () => putOwnKey(workspaceId, provider.provider_id, key.trim()),
    onSuccess: () => {
      refreshOwnKeys(client);
      showToast(`Key for ${provider.name} saved.`);
      onClose();
    },
  });
  const where = provider.origin ? `to ${provider.origin}` : "to this provider";
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`Key for ${provider.name}`} titled>
      <div className="px-5 pb-5">
        <EntranceForm
          submit="Save key"
          busy={save.isPending}
          error={save.error}
          onSubmit={() => save.mutate()}
        >
          <p className="text-sm text-ink-2 [overflow-wrap:anywhere]">
            It is encrypted, sent only {where}, and never shown again. Questions that use it cost its account,
            not the installation’s.
          </p>
          <TextInput label="Key" type="password" autoComplete="off" autoFocus value={key} onChange={setKey} />
        </EntranceForm>
      </div>
    </Dialog>
  );
}
