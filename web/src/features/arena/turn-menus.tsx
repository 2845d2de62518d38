/** The menus of replies and questions; they load with the first session. */
import { lazyExtra } from "@/components/lazy-part";

export const ReplyMenu = lazyExtra(
  () => import("@/features/arena/reply-menu-button").then((part) => part.ReplyMenuButton),
  <span className="size-7 touch:size-11 shrink-0" />,
);

export const PromptMenu = lazyExtra(() =>
  import("@/features/arena/prompt-menu-button").then((part) => part.PromptMenuButton),
);
