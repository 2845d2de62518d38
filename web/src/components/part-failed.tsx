import type { Failure } from "@/components/boundary";
import { MissingPart, useFailure } from "@/components/failure";
import { useServer } from "@/lib/server";
import { Button } from "@/ui/button";

/** Stands where a part of the page failed: what happened, and the ways on. */
export function PartFailed(failure: Failure) {
  const { title, text } = useFailure(failure.error);
  return (
    <div role="alert" className="m-auto flex max-w-md flex-col items-center gap-2 p-5 text-center text-sm">
      <p className="font-medium">{title}</p>
      <p className="text-ink-2 [overflow-wrap:anywhere]">{text}</p>
      <div className="mt-1 flex gap-2">
        <WaysOn {...failure} />
      </div>
    </div>
  );
}

/** Retry what failed, or reload the page; what could not be loaded comes by reloading only. */
export function WaysOn({ error, retry }: Failure) {
  // Without a server, reloading would leave nothing but the browser's own error.
  const away = useServer((state) => state.away);
  return (
    <>
      {!(error instanceof MissingPart) && (
        <Button variant="primary" onClick={retry}>
          Retry
        </Button>
      )}
      {!away && <Button onClick={() => location.reload()}>Reload</Button>}
    </>
  );
}
