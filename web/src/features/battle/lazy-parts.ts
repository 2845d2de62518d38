/** What is shown once a vote is cast; the page has loaded it before that. */
import { lazyPart } from "@/components/lazy-part";

const verdict = () => import("@/features/battle/verdict");

export const Verdict = lazyPart(() => verdict().then((part) => part.Verdict));
export const PastVerdict = lazyPart(() => verdict().then((part) => part.PastVerdict));
