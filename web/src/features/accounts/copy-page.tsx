/** Where the page of a shared session leads those who want a copy; whoever is not signed in is asked to, first. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { copyShared } from "@/api/accounts";
import { asApiError } from "@/api/problem";
import { sessionsKey } from "@/api/queries";
import { EmptyPage } from "@/components/empty-page";
import { currentSpace } from "@/lib/space";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";

export function CopyPage() {
  const [token] = useState(() => window.location.hash.replace(/^#/, ""));
  const navigate = useNavigate();
  const client = useQueryClient();
  const copy = useMutation({
    mutationFn: () => copyShared(token),
    onSuccess: (session) => {
      client.invalidateQueries({ queryKey: sessionsKey });
      navigate({ to: "/s/$session", params: { session }, replace: true });
    },
  });
  useTitle("Copy a shared session");
  const back = (
    <Button asChild>
      <a href={`/share/${token}`}>Back to the page</a>
    </Button>
  );
  if (copy.error) {
    const { message, detail } = asApiError(copy.error);
    return (
      <EmptyPage title={message} text={detail ?? "Nothing was copied. Try again in a moment."}>
        {back}
      </EmptyPage>
    );
  }
  return (
    <EmptyPage
      title="Copy this session into yours?"
      text={`You get a chat with what the shared page shows now, and can go on from there. Hidden models stay hidden. ${
        currentSpace() === null
          ? "Nobody else sees your copy."
          : "The copy belongs to the workspace that you are in."
      }`}
    >
      {back}
      <Button variant="primary" disabled={copy.isPending || token === ""} onClick={() => copy.mutate()}>
        Copy session
      </Button>
    </EmptyPage>
  );
}
