/** Under the message of a new session: models that were found here, ready to be used, or what the demo models are. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronDown, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useMayManage } from "@/api/permissions";
import { asApiError } from "@/api/problem";
import { addProvider, asAdded, discoveriesQuery, type FoundServer, refreshCatalog } from "@/api/providers";
import { aboutQuery } from "@/api/queries";
import { LazyMark } from "@/components/lazy-mark";
import { lazyPart } from "@/components/lazy-part";
import { chatModels, type Offer, offerOf } from "@/features/arena/offers";
import { cn } from "@/lib/cn";
import { counted } from "@/lib/format";
import { useStored } from "@/lib/local-storage";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";

const Discoveries = lazyPart(() =>
  import("@/features/providers/discoveries").then((part) => part.Discoveries),
);
const AddProvider = lazyPart(() =>
  import("@/features/providers/add-provider").then((part) => part.AddProvider),
);

const MARKS = 4;

export function OfferStrip() {
  const { data: about } = useQuery(aboutQuery);
  const mayManage = useMayManage();
  const { data: found } = useQuery({ ...discoveriesQuery, enabled: mayManage });
  const [declined, setDeclined] = useStored<string[]>("offers-declined", []);
  const [dismissed, setDismissed] = useStored("demo-banner-dismissed", false);
  const offer = offerOf(found, declined);
  if (offer) return <Offered offer={offer} onDecline={() => setDeclined([...declined, offer.key])} />;
  if (!about?.demo || dismissed) return null;
  return <AboutDemo onDismiss={() => setDismissed(true)} />;
}

interface StripProps {
  text: ReactNode;
  live?: boolean;
  dismiss: string;
  onDismiss: () => void;
  children: ReactNode;
}

function Strip({ text, live = false, dismiss, onDismiss, children }: StripProps) {
  return (
    <div
      className={cn(
        "flex items-center gap-3 border-t border-line py-2 pr-2 pl-4 text-sm sm:pl-5",
        live && "offer-live",
      )}
    >
      {live && <i aria-hidden="true" className="offer-dot" />}
      <p className="min-w-0 flex-1 text-ink-2">{text}</p>
      {children}
      <IconButton size="icon-sm" label={dismiss} onClick={onDismiss}>
        <X />
      </IconButton>
    </div>
  );
}

function Offered({ offer, onDecline }: { offer: Offer; onDecline: () => void }) {
  const [adding, setAdding] = useState(false);
  const server = offer.kind === "server" ? offer.server : null;
  const start =
    offer.kind === "key"
      ? { known: offer.found.known, variable: offer.found.variable }
      : { known: offer.server.kind, address: offer.server.base_url };
  return (
    <section aria-label="Found on this computer">
      <Strip
        live
        text={
          <>
            <span className="font-semibold text-ink">{offer.title}</span>
            <span className="max-sm:hidden"> {offer.where}</span>
          </>
        }
        dismiss="Not now"
        onDismiss={onDecline}
      >
        {server && !server.needs_key ? (
          <UseServer server={server} />
        ) : (
          <Button size="sm" className="border-ink font-semibold" onClick={() => setAdding(true)}>
            Choose models
          </Button>
        )}
      </Strip>
      {adding && <AddProvider start={start} onClose={() => setAdding(false)} />}
    </section>
  );
}

function UseServer({ server }: { server: FoundServer }) {
  const client = useQueryClient();
  const models = chatModels(server);
  const add = useMutation({
    mutationFn: () =>
      addProvider({
        known: server.kind,
        base_url: server.base_url,
        models: models.map((model) => asAdded(model, true)),
      }),
    onSuccess: async () => {
      await refreshCatalog(client);
      showToast(`${counted(models.length, "model")} added.`);
    },
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
  });
  return (
    <>
      <span aria-hidden="true" className="flex gap-1 max-sm:hidden">
        {models.slice(0, MARKS).map(({ model, name, organization }) => (
          <LazyMark key={model} organization={organization ?? ""} name={name} />
        ))}
      </span>
      <Button
        size="sm"
        className="border-ink font-semibold"
        disabled={add.isPending}
        onClick={() => add.mutate()}
      >
        {models.length === 1 ? "Use its model" : `Use its ${counted(models.length, "model")}`}
      </Button>
    </>
  );
}

/** Said once: on the page where the first question is asked. */
function AboutDemo({ onDismiss }: { onDismiss: () => void }) {
  const [open, setOpen] = useState(false);
  const mayManage = useMayManage();
  return (
    <section aria-label="About the demo models">
      <Strip
        text={
          <>
            <span className="max-sm:hidden">
              Demo models answer a fixed list of questions, without an API key or a network.
            </span>
            <span className="sm:hidden">Demo models answer a fixed list of questions.</span>
          </>
        }
        dismiss="Dismiss"
        onDismiss={onDismiss}
      >
        {mayManage && (
          <Button size="sm" variant="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            Connect models
            <ChevronDown
              aria-hidden="true"
              className={cn("size-3.5! transition-transform", open && "rotate-180")}
            />
          </Button>
        )}
      </Strip>
      {open && (
        <div className="animate-fade-in border-t border-line p-4">
          <Discoveries />
        </div>
      )}
    </section>
  );
}
