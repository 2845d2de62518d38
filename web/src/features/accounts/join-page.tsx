/** Where invitations and links for a new password lead. Their secret stands after `#`, which no server is sent. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { acceptLink, lookAtLink, type Person } from "@/api/accounts";
import { meQuery } from "@/api/me";
import { asApiError } from "@/api/problem";
import { Entrance, EntranceForm, PASSWORD_HINT, TextInput } from "@/features/accounts/entrance";
import { CodeForm } from "@/features/accounts/sign-in";
import { SignUpForm } from "@/features/accounts/sign-up-form";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

const secretOf = (hash: string) => hash.replace(/^#/, "");

const enterPage = () => window.location.replace("/");

export function JoinPage() {
  const [token] = useState(() => secretOf(window.location.hash));
  const { data: me } = useQuery({ ...meQuery, enabled: token === "" });
  if (token === "" && me?.sign_in.sign_up && isWithoutAccount(me)) return <CreateAccount />;
  return token === "" && !me ? <Waiting /> : <UseLink token={token} />;
}

const isWithoutAccount = ({ person }: { person: Person | null }) =>
  person === null || person.role === "guest";

/** Without a link, where everybody may make an account. */
function CreateAccount() {
  useTitle("Create an account");
  return (
    <Entrance title="Create an account" about="What you made as a guest becomes yours.">
      <SignUpForm onDone={enterPage} />
      <Button asChild variant="quiet" className="mt-3 w-full justify-center">
        <a href="/">Not now</a>
      </Button>
    </Entrance>
  );
}

const Waiting = () => (
  <Entrance title="Join Parley">
    <Skeleton className="mt-5 h-48" />
  </Entrance>
);

function UseLink({ token }: { token: string }) {
  const { data, error } = useQuery({
    queryKey: ["link", token],
    queryFn: () => lookAtLink(token),
    retry: false,
  });
  useTitle("Join");
  if (error) {
    const { message, detail } = asApiError(error);
    return (
      <Entrance title={message} {...(detail && { about: detail })}>
        <Button asChild className="mt-5 w-full justify-center">
          <a href="/">Open Parley</a>
        </Button>
      </Entrance>
    );
  }
  if (!data) {
    return <Waiting />;
  }
  return (
    <Entrance title={TITLES[data.purpose]} about={aboutOf(data)}>
      <JoinForm token={token} asksWho={data.purpose !== "reset"} />
    </Entrance>
  );
}

type Offer = Awaited<ReturnType<typeof lookAtLink>>;

const TITLES: Record<Offer["purpose"], string> = {
  invitation: "Create your account",
  reset: "Set a new password",
  first_administrator: "Become the administrator",
};

function aboutOf({ purpose, role, invited_by, name, email }: Offer): string {
  if (purpose === "reset") return `For ${name}, ${email}. All other logins of this account end.`;
  if (purpose === "first_administrator") return "You invite everybody else, and add the models.";
  const as = role === "administrator" ? "an administrator" : "a member";
  return `${invited_by} invited you as ${as}.`;
}

function JoinForm({ token, asksWho }: { token: string; asksWho: boolean }) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [ticket, setTicket] = useState<string | null>(null);
  const accept = useMutation({
    mutationFn: () => acceptLink({ token, password, ...(asksWho && { name, email }) }),
    onSuccess: (entered) => ("ticket" in entered ? setTicket(entered.ticket) : enterPage()),
  });
  if (ticket !== null) return <CodeForm ticket={ticket} onDone={enterPage} />;
  return (
    <EntranceForm
      submit={asksWho ? "Create account" : "Set password"}
      busy={accept.isPending}
      error={accept.error}
      onSubmit={() => accept.mutate()}
    >
      {asksWho && (
        <>
          <TextInput label="Name" autoComplete="name" autoFocus value={name} onChange={setName} />
          <TextInput label="E-mail" type="email" autoComplete="username" value={email} onChange={setEmail} />
        </>
      )}
      <TextInput
        label={asksWho ? "Password" : "New password"}
        hint={PASSWORD_HINT}
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
      />
    </EntranceForm>
  );
}
