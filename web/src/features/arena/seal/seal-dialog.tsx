/** Seals the session that is about to begin, with a passkey or a passphrase. */

import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { createPasskey, sealByPasskey, sealByPassphrase } from "@/features/arena/seal/seal-crypto";
import { hasPasskeys, LOST, wordsFor } from "@/features/arena/seal/seal-words";
import { focusComposer } from "@/lib/focus-composer";
import { type SealDraft, useSealDraft } from "@/lib/seal-keys";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Segmented } from "@/ui/segmented";

const LEAST = 12;

const WAYS = [
  { value: "passkey", label: "Passkey" },
  { value: "passphrase", label: "Passphrase" },
] as const;

export function SealDialog({ onClose }: { onClose: () => void }) {
  const [way, setWay] = useState<"passkey" | "passphrase">(hasPasskeys ? "passkey" : "passphrase");
  const seal = useMutation({
    mutationFn: (make: () => Promise<SealDraft>) => make(),
    onSuccess: (draft) => {
      useSealDraft.setState({ draft });
      onClose();
      focusComposer();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !seal.isPending && onClose()}
      title="Seal this session"
      titled
    >
      <div className="flex max-h-[64vh] flex-col gap-4 overflow-y-auto px-5 pt-2 pb-5 text-sm">
        <p className="text-ink-2">
          Your questions, the answers and the title are stored encrypted. The key is made here, and Parley
          holds it only while it answers. The models’ providers, and Parley while it works, still read what
          you ask.
        </p>
        <p className="text-ink-2">A sealed session has no search, files, tools, votes, sharing or export.</p>
        <Segmented label="Open it with" value={way} onChange={setWay} options={[...WAYS]} />
        {way === "passkey" ? (
          <PasskeyWay pending={seal.isPending} onSeal={seal.mutate} />
        ) : (
          <PassphraseWay pending={seal.isPending} onSeal={seal.mutate} />
        )}
        {seal.error && (
          <p role="alert" className="text-bad">
            {wordsFor(seal.error)}
          </p>
        )}
        <p className="rounded-sm border border-line bg-page px-3 py-2">{LOST}</p>
      </div>
    </Dialog>
  );
}

interface WayProps {
  pending: boolean;
  onSeal: (make: () => Promise<SealDraft>) => void;
}

function PasskeyWay({ pending, onSeal }: WayProps) {
  if (!hasPasskeys)
    return (
      <p className="text-ink-2">
        This browser has no passkeys for this address: they need https, or a name such as localhost. Use a
        passphrase.
      </p>
    );
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="primary" disabled={pending} onClick={() => onSeal(sealByPasskey)}>
        Use a passkey
      </Button>
      <Button disabled={pending} onClick={() => onSeal(() => createPasskey().then(sealByPasskey))}>
        Create a passkey first
      </Button>
    </div>
  );
}

function PassphraseWay({ pending, onSeal }: WayProps) {
  const [first, second] = [useId(), useId()];
  const [typed, setTyped] = useState("");
  const [again, setAgain] = useState("");
  const isShort = typed.length > 0 && typed.length < LEAST;
  const differs = again.length > 0 && again !== typed;
  const ready = typed.length >= LEAST && typed === again && !pending;
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onSeal(() => sealByPassphrase(typed));
      }}
    >
      <div className="flex flex-col gap-1.5">
        <label htmlFor={first} className="font-medium">
          Passphrase
        </label>
        <Field
          id={first}
          type="password"
          autoComplete="new-password"
          aria-describedby={`${first}-about`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <p id={`${first}-about`} className={isShort ? "text-bad" : "text-ink-2"}>
          At least {LEAST} characters. Several words are better than one.
        </p>
      </div>
      <div className="flex flex-col gap-1.5">
        <label htmlFor={second} className="font-medium">
          Passphrase again
        </label>
        <Field
          id={second}
          type="password"
          autoComplete="new-password"
          value={again}
          onChange={(event) => setAgain(event.target.value)}
        />
        {differs && <p className="text-bad">The two are not the same.</p>}
      </div>
      <Button type="submit" variant="primary" disabled={!ready} className="self-start">
        {pending ? "Sealing…" : "Seal this session"}
      </Button>
    </form>
  );
}
