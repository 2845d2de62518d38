/** The parts of the feature that load when an answer has tools. */
import { lazyPart } from "@/components/lazy-part";

export const AnswerSteps = lazyPart(() =>
  import("@/features/tools/answer-steps").then((part) => part.AnswerSteps),
);
export const TableCards = lazyPart(() =>
  import("@/features/tools/table-cards").then((part) => part.TableCards),
);
