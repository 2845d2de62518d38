/** Why a prompt was not taken, and what to do. The draft is still in the composer. */

import { useMayManage } from "@/api/permissions";
import type { ApiError } from "@/api/problem";
import { lazyPart } from "@/components/lazy-part";
import { Notice } from "@/features/arena/notice";
import { Button } from "@/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";

const NO_MODELS = new Set(["not_enough_models", "no_models"]);

const Discoveries = lazyPart(() =>
  import("@/features/providers/discoveries").then((part) => part.Discoveries),
);

export function AskError({ error, onDismiss }: { error: ApiError; onDismiss: () => void }) {
  const mayManage = useMayManage();
  const lacks = NO_MODELS.has(error.code);
  const detail = error.unreachable
    ? "Check that it’s running, then send again. Your text is saved."
    : lacks && !mayManage
      ? "Ask an administrator to add models. Your text is saved."
      : (error.detail ?? "Your text is saved. Try again in a moment.");
  return (
    <Notice alert tone="bad" title={error.message} detail={detail}>
      {lacks && mayManage && (
        <Popover>
          <PopoverTrigger asChild>
            <Button size="sm">Add models</Button>
          </PopoverTrigger>
          <PopoverContent align="end" className="w-[min(520px,92vw)] p-4">
            <Discoveries />
          </PopoverContent>
        </Popover>
      )}
      <Button size="sm" variant="quiet" onClick={onDismiss}>
        Dismiss
      </Button>
    </Notice>
  );
}
