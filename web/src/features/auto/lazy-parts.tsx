/** The parts of the feature that load beside a chat. */
import { lazyPart } from "@/components/lazy-part";

export const Receipt = lazyPart(() => import("@/features/auto/receipt").then((part) => part.Receipt));
