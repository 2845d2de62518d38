/** One's passkeys, and the app whose codes follow the password. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Fingerprint, Smartphone } from "lucide-react";
import { useState } from "react";
import { factorsQuery, newApp, removeApp, removePasskey } from "@/api/accounts";
import { meQuery } from "@/api/me";
import { asApiError } from "@/api/problem";
import { RelativeTime } from "@/components/relative-time";
import { Setting } from "@/components/setting";
import { AppDialog } from "@/features/accounts/app-dialog";
import { browserName } from "@/features/accounts/browser-name";
import { EntranceForm, TextInput } from "@/features/accounts/entrance";
import { hasPasskeys, isCancelled, makePasskey } from "@/features/accounts/passkey";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Skeleton } from "@/ui/skeleton";

export function FactorRows() {
  const { data: me } = useQuery(meQuery);
  return me?.mode === "shared" && me.person?.email ? <Rows /> : null;
}

type Opened = "passkey" | "app" | "remove-app";

function Rows() {
  const client = useQueryClient();
  const { data } = useQuery(factorsQuery);
  const { data: me } = useQuery(meQuery);
  const [opened, setOpened] = useState<Opened | null>(null);
  const changed = () => client.invalidateQueries({ queryKey: factorsQuery.queryKey });
  const remove = useMutation({
    mutationFn: removePasskey,
    onSuccess: changed,
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
  });
  const close = () => {
    setOpened(null);
    changed();
  };
  if (!data) return <Skeleton className="m-4 h-16" />;
  return (
    <>
      {data.passkeys.map((passkey) => (
        <Setting
          key={passkey.id}
          name={passkey.name}
          about={
            <>
              Passkey,{" "}
              {passkey.used_at ? (
                <>
                  used <RelativeTime at={passkey.used_at} />
                </>
              ) : (
                "not used yet"
              )}
            </>
          }
        >
          <Button disabled={remove.isPending} onClick={() => remove.mutate(passkey.id)}>
            Remove passkey
          </Button>
        </Setting>
      ))}
      <Setting
        name="Passkeys"
        about={
          hasPasskeys
            ? "Sign in by your fingerprint, face or device, without a password."
            : "Not available here: passkeys need HTTPS and a host name, or localhost."
        }
      >
        <Button disabled={!hasPasskeys} onClick={() => setOpened("passkey")}>
          <Fingerprint aria-hidden="true" />
          Add passkey
        </Button>
      </Setting>
      <Setting
        name="App with codes"
        about={
          data.app
            ? `On. ${data.recovery_codes_left} recovery codes are left.`
            : "A code from your phone after the password."
        }
      >
        <Button onClick={() => setOpened(data.app ? "remove-app" : "app")}>
          <Smartphone aria-hidden="true" />
          {data.app ? "Remove app" : "Add app"}
        </Button>
      </Setting>
      {me?.sign_in.providers.map(({ id, name }) => (
        <Setting key={id} name={name} about={`Sign in with your account at ${name} as well.`}>
          <Button asChild>
            <a href={`/api/auth/with/${id}`}>Add {name}</a>
          </Button>
        </Setting>
      ))}
      {opened === "passkey" && <PasskeyDialog onClose={close} />}
      {opened === "app" && <NewAppDialog onClose={close} />}
      {opened === "remove-app" && (
        <WithPassword
          title="Remove the app?"
          submit="Remove app"
          text="You then sign in with your password alone. The recovery codes stop working."
          act={removeApp}
          onDone={close}
          onClose={close}
        />
      )}
    </>
  );
}

interface WithPasswordProps<T> {
  title: string;
  submit: string;
  text: string;
  act: (password: string) => Promise<T>;
  onDone: (result: T) => void;
  onClose: () => void;
}

function WithPassword<T>({ title, submit, text, act, onDone, onClose }: WithPasswordProps<T>) {
  const [password, setPassword] = useState("");
  const acting = useMutation({ mutationFn: () => act(password), onSuccess: onDone });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} titled>
      <div className="px-5 pb-5">
        <EntranceForm
          submit={submit}
          busy={acting.isPending}
          error={isCancelled(acting.error) ? null : acting.error}
          onSubmit={() => acting.mutate()}
        >
          <p className="text-sm text-ink-2">{text}</p>
          <TextInput
            label="Password"
            type="password"
            autoComplete="current-password"
            autoFocus
            value={password}
            onChange={setPassword}
          />
        </EntranceForm>
      </div>
    </Dialog>
  );
}

export const PasskeyDialog = ({ onClose }: { onClose: () => void }) => (
  <WithPassword
    title="Add a passkey"
    submit="Add passkey"
    text="Your browser asks where to keep it."
    act={(password) => makePasskey(password, browserName(navigator.userAgent))}
    onDone={() => {
      showToast("Passkey added.");
      onClose();
    }}
    onClose={onClose}
  />
);

export function NewAppDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<Awaited<ReturnType<typeof newApp>> | null>(null);
  if (made) return <AppDialog app={made} onClose={onClose} />;
  return (
    <WithPassword
      title="Add an app with codes"
      submit="Continue"
      text="Any authenticator app will do. Its code follows your password from then on."
      act={newApp}
      onDone={setMade}
      onClose={onClose}
    />
  );
}
