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

/** A hook for a value that loads when first needed: undefined until it is here; throws MissingPart where it can't be. */
export function lazyValue<T>(load: () => Promise<T>): () => T | undefined {
  let loaded: { value: T } | undefined;
  const loadValue = async () => {
    loaded ??= { value: await orMissing(load()) };
    return loaded;
  };
  loads.push(loadValue);
  return function useLazyValue() {
    const [{ result, error }, set] = useState<Loading<T>>({ result: loaded });
    useEffect(() => {
      if (!result)
        loadValue().then(
          (result) => set({ result }),
          (error: unknown) => set({ error }),
        );
    }, [result]);
    if (error) throw error;
    return result?.value;
  };
}

interface Loading<T> {
  result?: { value: T } | undefined;
  error?: unknown;
}

/**
 * A part that throws MissingPart where it cannot be loaded. `waiting` stands there while it loads: no boundary of
 * Suspense, which React leaves standing for at least 300 ms.
 */
export function lazyPage<P extends object>(
  load: Load<P>,
  waiting: ReactNode | ((props: P) => ReactNode) = null,
): Shown<P> {
  const usePart = lazyValue(load);
  return function LazyPage(props: P) {
    const Part = usePart();
    if (Part) return <Part {...props} />;
    return typeof waiting === "function" ? waiting(props) : waiting;
  };
}

/** A part within a page: where it cannot be loaded, it says so in its place. */
export function lazyPart<P extends object>(
  load: Load<P>,
  waiting: ReactNode | ((props: P) => ReactNode) = null,
): Shown<P> {
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
