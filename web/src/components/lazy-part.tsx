/** Parts of the page that load when they are first shown, and what stands there where they cannot. */
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { Boundary, type Failure } from "@/components/boundary";
import { MissingPart, orMissing } from "@/components/failure";
import { PartFailed } from "@/components/part-failed";
import { whenIdle } from "@/lib/when-idle";

type Load<P> = () => Promise<ComponentType<P>>;
type Shown<P> = (props: P) => ReactNode;

const loads: (() => Promise<unknown>)[] = [];

/** Load every part before it is first shown, once the page is idle. */
export const prefetchParts = () => whenIdle(loads);

/**
 * A part that throws MissingPart where it cannot be loaded. `waiting` stands there while it loads: no boundary of
 * Suspense, which React leaves standing for at least 300 ms.
 */
export function lazyPage<P extends object>(
  load: Load<P>,
  waiting: ReactNode | ((props: P) => ReactNode) = null,
): Shown<P> {
  let loaded: ComponentType<P> | undefined;
  const loadPart = async () => {
    loaded ??= await orMissing(load());
    return loaded;
  };
  loads.push(loadPart);
  return function LazyPage(props: P) {
    const [{ Part, error }, set] = useState<Loaded<P>>({ Part: loaded });
    useEffect(() => {
      if (!Part)
        loadPart().then(
          (Part) => set({ Part }),
          (error: unknown) => set({ error }),
        );
    }, [Part]);
    if (error) throw error;
    if (Part) return <Part {...props} />;
    return typeof waiting === "function" ? waiting(props) : waiting;
  };
}

interface Loaded<P> {
  Part?: ComponentType<P> | undefined;
  error?: unknown;
}

/** A part within a page: where it cannot be loaded, it says so in its place. */
export function lazyPart<P extends object>(load: Load<P>, waiting: ReactNode = null): Shown<P> {
  const Part = lazyPage(load, waiting);
  return function LazyPart(props: P) {
    return (
      <Boundary fallback={missing}>
        <Part {...props} />
      </Boundary>
    );
  };
}

/** Any other fault is for a boundary further out. */
function missing(failure: Failure) {
  if (!(failure.error instanceof MissingPart)) throw failure.error;
  return <PartFailed {...failure} />;
}

/** Something that is nice to have: where it cannot be loaded, it is not there. */
export function lazyExtra<P extends object>(load: Load<P>, waiting: ReactNode = null): Shown<P> {
  const Part = lazyPage(load, waiting);
  return function LazyExtra(props: P) {
    return (
      <Boundary fallback={() => null}>
        <Part {...props} />
      </Boundary>
    );
  };
}
