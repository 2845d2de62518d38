/** Links with which anybody can read a session, and the workspace that it is in. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { moveSession, revokeShare, type Share, shareSession, sharesQuery } from "@/api/accounts";
import { workspacesQuery } from "@/api/me";
import { sessionsKey } from "@/api/queries";
import type { SessionCard } from "@/api/types";
import { CopyButton } from "@/components/copy-button";
import { RelativeTime } from "@/components/relative-time";
import { Problem } from "@/features/accounts/entrance";
import { currentSpace } from "@/lib/space";
import { exactTime } from "@/lib/time";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Labelled } from "@/ui/labelled";
import { Select } from "@/ui/select";

interface ShareDialogProps {
  sessions: SessionCard[];
  onClose: () => void;
}

export function ShareDialog({ sessions: [session], onClose }: ShareDialogProps) {
  if (!session) return null;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`Share “${session.title}”`} titled>
      <div className="flex max-h-[64vh] flex-col gap-5 overflow-y-auto px-5 pt-3 pb-5">
        <NewLink session={session} />
        <OpenLinks session={session} />
        <Workspace session={session} onMoved={onClose} />
      </div>
    </Dialog>
  );
}

const KINDS = [
  { live: true, name: "Live", about: "New turns appear as they come." },
  { live: false, name: "Snapshot", about: "Stays as it is now." },
];

const LASTS = [
  { value: "1", label: "in 1 day" },
  { value: "7", label: "in 7 days" },
  { value: "30", label: "in 30 days" },
  { value: "", label: "never" },
];

function NewLink({ session }: { session: SessionCard }) {
  const client = useQueryClient();
  const [live, setLive] = useState(true);
  const [days, setDays] = useState("7");
  const make = useMutation({
    mutationFn: () => shareSession(session.id, { live, days: days === "" ? null : Number(days) }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["shares", session.id] }),
  });
  if (make.data?.url) {
    return (
      <div className="flex flex-col gap-2">
        <p className="text-sm text-ink-2">
          Anybody with this link can read the session. It is not shown again.
        </p>
        <div className="flex items-center gap-2">
          <Field
            aria-label="Link"
            readOnly
            className="min-w-0 flex-1 font-mono"
            value={make.data.url}
            onFocus={(event) => event.target.select()}
          />
          <CopyButton text={make.data.url} label="Copy link" />
        </div>
      </div>
    );
  }
  return (
    <section aria-label="Read-only link" className="flex flex-col gap-3">
      <fieldset className="grid grid-cols-2 gap-2">
        <legend className="mb-1.5 text-sm font-medium">Read-only link</legend>
        {KINDS.map((kind) => (
          <label
            key={kind.name}
            className="cursor-pointer rounded-md border border-line p-3 hover:border-line-strong has-checked:border-accent"
          >
            <span className="flex items-center gap-2 text-sm font-medium">
              <input
                type="radio"
                name="kind"
                className="accent-accent"
                checked={live === kind.live}
                onChange={() => setLive(kind.live)}
              />
              {kind.name}
            </span>
            <span className="mt-0.5 block text-xs text-ink-2">{kind.about}</span>
          </label>
        ))}
      </fieldset>
      <Labelled label="Expires">
        {(id) => <Select id={id} value={days} options={LASTS} onChange={setDays} />}
      </Labelled>
      <p className="text-xs text-ink-3">Models of a battle without a vote stay hidden from every reader.</p>
      {make.error && <Problem error={make.error} />}
      <Button
        variant="primary"
        className="self-start"
        disabled={make.isPending}
        onClick={() => make.mutate()}
      >
        Make link
      </Button>
    </section>
  );
}

function OpenLinks({ session }: { session: SessionCard }) {
  const client = useQueryClient();
  const { data = [] } = useQuery(sharesQuery(session.id));
  const revoke = useMutation({
    mutationFn: (link: string) => revokeShare(session.id, link),
    onSuccess: () => client.invalidateQueries({ queryKey: ["shares", session.id] }),
  });
  if (data.length === 0) return null;
  return (
    <ul aria-label="Links that can be opened" className="divide-y divide-line rounded-md border border-line">
      {data.map((share) => (
        <li key={share.id} className="flex items-center gap-3 px-3 py-2 text-sm">
          <span className="min-w-0 flex-1">
            {share.live ? "Live" : "Snapshot"}, made <RelativeTime at={share.created_at} />
            <span className="block text-xs text-ink-3">{usage(share)}</span>
          </span>
          <Button
            size="sm"
            className="text-bad!"
            disabled={revoke.isPending}
            onClick={() => revoke.mutate(share.id)}
          >
            Revoke link
          </Button>
        </li>
      ))}
    </ul>
  );
}

const usage = ({ opened, expires_at }: Share) =>
  `Opened ${opened === 1 ? "once" : `${opened} times`}, ${expires_at ? `until ${exactTime(expires_at)}` : "never expires"}`;

const OWN = "";

function Workspace({ session, onMoved }: { session: SessionCard; onMoved: () => void }) {
  const client = useQueryClient();
  const { data = [] } = useQuery(workspacesQuery);
  const [wanted, setWanted] = useState<string | null>(null);
  const here = currentSpace() ?? OWN;
  const move = useMutation({
    mutationFn: () => moveSession(session.id, wanted === OWN ? null : wanted),
    onSuccess: () => {
      showToast("Session moved.");
      client.invalidateQueries({ queryKey: sessionsKey });
      onMoved();
    },
  });
  if (data.length === 0) return null;
  const places = [
    { value: OWN, label: "My own space" },
    ...data.filter(({ role }) => role !== "viewer").map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <section aria-label="Workspace" className="flex flex-col gap-2 border-t border-line pt-4">
      <Labelled label="Workspace" hint="Its members see the session with all turns and can continue it.">
        {(id, hint) => (
          <div className="flex items-center gap-2">
            <Select
              id={id}
              aria-describedby={hint}
              className="flex-1"
              value={wanted ?? here}
              options={places}
              onChange={setWanted}
            />
            <Button
              disabled={wanted === null || wanted === here || move.isPending}
              onClick={() => move.mutate()}
            >
              Move session
            </Button>
          </div>
        )}
      </Labelled>
      {move.error && <Problem error={move.error} />}
    </section>
  );
}
