/** Asks who wants to come in. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { Fingerprint } from "lucide-react";
import { useState } from "react";
import { enterAsGuest, enterCode, signIn } from "@/api/accounts";
import { meQuery } from "@/api/me";
import { Entrance, EntranceForm, Problem, TextInput } from "@/features/accounts/entrance";
import { hasPasskeys, isCancelled, signInWithPasskey } from "@/features/accounts/passkey";
import { SignUpForm } from "@/features/accounts/sign-up-form";
import { decoded } from "@/lib/readable-path";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";

/** Everything that was loaded before belongs to nobody, so the page starts anew. */
const startAnew = () => window.location.reload();

/** What went wrong at another provider, where it led back here. */
const failureIn = (hash: string) => decoded(hash.match(/^#sign-in-failed=(.*)/)?.[1] ?? "");

export function SignIn() {
  const [isNew, setNew] = useState(false);
  const [failure] = useState(failureIn(window.location.hash));
  const { data } = useQuery(meQuery);
  const guest = useMutation({ mutationFn: enterAsGuest, onSuccess: startAnew });
  const password = data?.sign_in.password ?? true;
  useTitle(isNew ? "Create an account" : "Sign in");
  return (
    <Entrance title={isNew ? "Create an account" : "Sign in"}>
      {failure !== "" && (
        <p role="alert" className="mt-4 text-sm text-bad">
          {failure}
        </p>
      )}
      {!isNew && hasPasskeys && password && <PasskeyButton />}
      {data?.sign_in.providers.map(({ id, name }) => (
        <Button key={id} asChild className="mt-3 h-10 w-full justify-center">
          <a href={`/api/auth/with/${id}`}>Sign in with {name}</a>
        </Button>
      ))}
      {password && (isNew ? <SignUpForm onDone={startAnew} /> : <SignInForm />)}
      {data?.sign_in.sign_up && (
        <Button variant="quiet" className="mt-3 w-full justify-center" onClick={() => setNew(!isNew)}>
          {isNew ? "I have an account" : "Create an account"}
        </Button>
      )}
      {data?.sign_in.guests && (
        <Button
          className="mt-3 h-10 w-full justify-center"
          disabled={guest.isPending}
          onClick={() => guest.mutate()}
        >
          Continue as a guest
        </Button>
      )}
      {guest.error && <Problem error={guest.error} />}
      {data && password && !data.sign_in.sign_up && (
        <p className="mt-4 text-xs text-ink-3">
          No account, or no password? An administrator can send you a link.
        </p>
      )}
    </Entrance>
  );
}

function SignInForm() {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [ticket, setTicket] = useState<string | null>(null);
  const enter = useMutation({
    mutationFn: () => signIn({ email, password }),
    onSuccess: (entered) => ("ticket" in entered ? setTicket(entered.ticket) : startAnew()),
  });
  if (ticket !== null) return <CodeForm ticket={ticket} onDone={startAnew} onBack={() => setTicket(null)} />;
  return (
    <EntranceForm submit="Sign in" busy={enter.isPending} error={enter.error} onSubmit={() => enter.mutate()}>
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="username"
        autoFocus
        value={email}
        onChange={setEmail}
      />
      <TextInput
        label="Password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
    </EntranceForm>
  );
}

/** Follows a password of who has an app with codes. */
export function CodeForm({
  ticket,
  onDone,
  onBack,
}: {
  ticket: string;
  onDone: () => void;
  onBack?: () => void;
}) {
  const [code, setCode] = useState("");
  const enter = useMutation({ mutationFn: () => enterCode({ ticket, code }), onSuccess: onDone });
  return (
    <>
      <EntranceForm
        submit="Sign in"
        busy={enter.isPending}
        error={enter.error}
        onSubmit={() => enter.mutate()}
      >
        <TextInput
          label="Code"
          hint="From your app, or one of your recovery codes."
          autoComplete="one-time-code"
          autoFocus
          value={code}
          onChange={setCode}
        />
      </EntranceForm>
      {onBack && (
        <Button variant="quiet" className="mt-3 w-full justify-center" onClick={onBack}>
          Back
        </Button>
      )}
    </>
  );
}

/** First where the browser has passkeys, since who has one needs nothing else. */
function PasskeyButton() {
  const enter = useMutation({ mutationFn: signInWithPasskey, onSuccess: startAnew });
  return (
    <>
      <Button
        className="mt-5 h-10 w-full justify-center"
        disabled={enter.isPending}
        onClick={() => enter.mutate()}
      >
        <Fingerprint aria-hidden="true" />
        Sign in with a passkey
      </Button>
      {enter.error && !isCancelled(enter.error) && <Problem error={enter.error} />}
    </>
  );
}
