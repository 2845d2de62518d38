/** Pictures and files of questions and replies; they load with the first one. */
import { lazyPart } from "@/components/lazy-part";
import { Markdown } from "@/components/markdown/markdown";
import type { DraftFilesProps } from "@/features/arena/attachments/draft-files";
import type { ReplyPartsProps } from "@/features/arena/attachments/reply-parts";
import { useComposer } from "@/features/arena/composer-store";

export const loadParts = () => import("@/features/arena/attachments/attachments-chunk");

const Files = lazyPart(() => loadParts().then(({ PARTS }) => PARTS.DraftFiles));

/** Nothing, where neither the draft nor the conversation has files. */
export function DraftFiles(props: DraftFilesProps) {
  const inDraft = useComposer(({ attached }) => Boolean(attached[props.place]?.length));
  const earlier = props.situation.record?.turns.some(
    ({ input }) => input.type === "prompt" && input.attachments.length > 0,
  );
  return (inDraft || earlier) && <Files {...props} />;
}

export const Attached = lazyPart(() => loadParts().then(({ PARTS }) => PARTS.Attached));

/** The text alone, until the pictures can be shown too. */
export const ReplyParts = lazyPart<ReplyPartsProps>(
  () => loadParts().then(({ PARTS }) => PARTS.ReplyParts),
  ({ reply, writing }) => <Markdown text={reply.text} writing={writing} />,
);
