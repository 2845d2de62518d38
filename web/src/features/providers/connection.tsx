/** Name, address and key of a provider, and the test of its connection. */
import { useMutation } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, ExternalLink } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { asApiError } from "@/api/problem";
import { type KnownProvider, type Offer, testProvider } from "@/api/providers";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Labelled } from "@/ui/labelled";

export interface ConnectionValues {
  name: string;
  address: string;
  key: string;
}

interface ConnectionProps {
  known?: KnownProvider | undefined;
  values: ConnectionValues;
  onChange: (values: ConnectionValues) => void;
  /** Said below the key, in place of how it is kept. */
  keyNote?: string | undefined;
  keyPlaceholder?: string | undefined;
  request: () => Parameters<typeof testProvider>[0];
  testAtOnce?: boolean;
  onOffer: (offer: Offer | null) => void;
}

export function Connection(props: ConnectionProps) {
  const { known, values, onChange, keyNote, keyPlaceholder, request, testAtOnce = false, onOffer } = props;
  const test = useMutation({
    mutationFn: () => testProvider(request()),
    onMutate: () => onOffer(null),
    onSuccess: (offer) => {
      // What was tested is what is saved.
      if (offer.base_url) onChange({ ...values, address: offer.base_url });
      onOffer(offer);
    },
  });
  const started = useRef(false);
  useEffect(() => {
    if (testAtOnce && !started.current) {
      started.current = true;
      test.mutate();
    }
  }, [testAtOnce, test]);
  const change = (part: Partial<ConnectionValues>) => {
    test.reset();
    if (part.name === undefined) onOffer(null);
    onChange({ ...values, ...part });
  };
  return (
    <>
      <Labelled label="Name">
        {(id) => (
          <Field
            id={id}
            value={values.name}
            maxLength={200}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled label="Address" hint="Any OpenAI-compatible address, such as http://127.0.0.1:8000/v1">
        {(id) => (
          <Field
            id={id}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            value={values.address}
            onChange={(event) => change({ address: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled
        label="API key"
        hint={
          keyNote ??
          (known?.needs_key === false
            ? "Leave empty if the server needs none."
            : "Stored encrypted on this computer and sent only to this address.")
        }
        beside={
          known?.key_url && (
            <a
              href={known.key_url}
              target="_blank"
              rel="noreferrer"
              className="inline-flex touch:min-h-11 items-center gap-1 text-xs text-ink-2 underline underline-offset-3"
            >
              Get a key
              <ExternalLink aria-hidden="true" className="size-3" />
            </a>
          )
        }
      >
        {(id) => (
          <Field
            id={id}
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder={keyPlaceholder}
            value={values.key}
            onChange={(event) => change({ key: event.target.value })}
          />
        )}
      </Labelled>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button disabled={!values.address.trim() || test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? "Testing…" : "Test connection"}
        </Button>
        <div role="status" className="min-w-0 flex-[1_1_14rem] text-sm">
          {test.data && <Result offer={test.data} onAddress={(address) => change({ address })} />}
          {test.error && (
            <Status bad>
              {asApiError(test.error).message} {asApiError(test.error).detail}
            </Status>
          )}
        </div>
      </div>
    </>
  );
}

function Result({ offer, onAddress }: { offer: Offer; onAddress: (address: string) => void }) {
  const suggestion = offer.suggested_base_url;
  return (
    <>
      {offer.ok && <Status>Connected in {Math.round(offer.latency_ms ?? 0)} ms.</Status>}
      {offer.problem && (
        <Status bad={!offer.ok}>
          {offer.problem.title} {offer.problem.detail}
        </Status>
      )}
      {!offer.ok && suggestion && (
        <Button size="sm" className="mt-1.5" onClick={() => onAddress(suggestion)}>
          Use {suggestion}
        </Button>
      )}
    </>
  );
}

function Status({ bad = false, children }: { bad?: boolean; children: ReactNode }) {
  const Icon = bad ? CircleAlert : CircleCheck;
  return (
    <p className={bad ? "text-bad" : "text-good"}>
      <Icon aria-hidden="true" className="mr-1.5 inline size-4 align-[-3px]" />
      {children}
    </p>
  );
}
