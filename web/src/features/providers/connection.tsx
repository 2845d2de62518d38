/** Name, address and key of a provider, and the test of its connection. */
import { useMutation } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, ExternalLink } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { asApiError } from "@/api/problem";
import { type KnownProvider, type Offer, testProvider } from "@/api/providers";
import { STRINGS } from "@/features/providers/strings";
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
    onSuccess: onOffer,
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
      <Labelled label={STRINGS.name}>
        {(id) => (
          <Field
            id={id}
            value={values.name}
            maxLength={200}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled label={STRINGS.address} hint={STRINGS.addressHint}>
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
        label={STRINGS.key}
        hint={keyNote ?? (known?.needs_key === false ? STRINGS.keyOptional : STRINGS.keyStored)}
        beside={
          known?.key_url && (
            <a
              href={known.key_url}
              target="_blank"
              rel="noreferrer"
              className="inline-flex touch:min-h-11 items-center gap-1 text-xs text-ink-2 underline underline-offset-3"
            >
              {STRINGS.getKey}
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
          {test.isPending ? STRINGS.testing : STRINGS.test}
        </Button>
        <div role="status" className="min-w-0 flex-[1_1_14rem] text-sm">
          {test.data && <Result offer={test.data} onAddress={(address) => change({ address })} />}
          {test.error && (
            <Said bad>
              {asApiError(test.error).message} {asApiError(test.error).detail}
            </Said>
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
      {offer.ok && <Said>{STRINGS.works(offer.latency_ms ?? 0)}</Said>}
      {offer.problem && (
        <Said bad={!offer.ok}>
          {offer.problem.title} {offer.problem.detail}
        </Said>
      )}
      {!offer.ok && suggestion && (
        <Button size="sm" className="mt-1.5" onClick={() => onAddress(suggestion)}>
          {STRINGS.tryAddress(suggestion)}
        </Button>
      )}
    </>
  );
}

function Said({ bad = false, children }: { bad?: boolean; children: ReactNode }) {
  const Icon = bad ? CircleAlert : CircleCheck;
  return (
    <p className={bad ? "text-bad" : "text-good"}>
      <Icon aria-hidden="true" className="mr-1.5 inline size-4 align-[-3px]" />
      {children}
    </p>
  );
}
