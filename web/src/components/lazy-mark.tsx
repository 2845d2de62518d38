/** A maker's mark where most pages show none: it loads with the first. */
import { lazyExtra } from "@/components/lazy-part";

export const LazyMark = lazyExtra(
  () => import("@/components/model-mark").then((part) => part.ModelMark),
  <span className="inline-block size-5 shrink-0" />,
);
