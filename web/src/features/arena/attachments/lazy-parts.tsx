/** Pictures and files of questions; they load after the first page. */
import { lazyPart } from "@/components/lazy-part";

const load = () => import("@/features/arena/attachments/parts");

export const AttachButton = lazyPart(
  () => load().then(({ PARTS }) => PARTS.AttachButton),
  <span className="size-7 touch:size-11" />,
);
export const DraftFiles = lazyPart(() => load().then(({ PARTS }) => PARTS.DraftFiles));
export const Attached = lazyPart(() => load().then(({ PARTS }) => PARTS.Attached));
