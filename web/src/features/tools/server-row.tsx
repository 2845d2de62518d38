/** A server that people sign in at: with whose account its tools are called, and signing in or out there. */
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { meQuery } from "@/api/me";
import { RelativeTime } from "@/components/relative-time";
import { Setting } from "@/components/setting";
import { type ToolServerView, useSignIn, useSignOut } from "@/features/tools/tools-api";
import { Button } from "@/ui/button";

export function ServerRow({ server }: { server: ToolServerView }) {
  const signOut = useSignOut();
  return (
    <Setting name={server.title} about={<About server={server} />}>
      {server.wants_sign_in && <SignInButton server={server} back="/settings#tools" />}
      {server.issuer !== null && (
        <Button disabled={signOut.isPending} onClick={() => signOut.mutate(server.name)}>
          Sign out
        </Button>
      )}
    </Setting>
  );
}

export function SignInButton({ server, back }: { server: ToolServerView; back: string }) {
  const signIn = useSignIn();
  const begin = () => signIn.mutate({ name: server.name, back });
  return (
    <Button variant="primary" disabled={signIn.isPending} onClick={begin}>
      {server.issuer === null ? "Sign in" : "Sign in again"}
    </Button>
  );
}

function About({ server: { issuer, signed_in_at, wants_sign_in } }: { server: ToolServerView }) {
  const { data: me } = useQuery(meQuery);
  const isShared = me?.mode === "shared";
  if (issuer === null || signed_in_at === null) {
    return isShared
      ? "Its tools need to know who asks. Sign in with your own account there: only your questions use it."
      : "Its tools need to know who asks. Sign in with your account there.";
  }
  if (wants_sign_in) return `Your sign-in at ${hostOf(issuer)} is not accepted any more.`;
  return (
    <>
      Signed in as you at {hostOf(issuer)}, <RelativeTime at={signed_in_at} />.{" "}
      {isShared
        ? "Only your questions use it, in workspaces too."
        : "The sign-in is kept encrypted on this computer."}
    </>
  );
}

/** What went wrong at another site, where it led back here. */
export function SignInFailure() {
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  const words = new URLSearchParams(search).get("sign-in-failed");
  if (!words) return null;
  return (
    <p role="alert" className="m-0 flex gap-2 px-4 py-3 text-sm text-bad">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {words}
    </p>
  );
}

function hostOf(issuer: string): string {
  try {
    return new URL(issuer).host;
  } catch {
    return issuer;
  }
}
