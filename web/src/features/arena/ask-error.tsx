/** Why a prompt was not taken, and what to do. The draft is still in the composer. */

import type { ApiError } from "@/api/problem";
import { lazyPart } from "@/components/lazy-part";
import { Notice } from "@/features/arena/notice";
import { STRINGS } from "@/features/arena/strings";
import { Button } from "@/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";

const NO_MODELS = new Set(["not_enough_models", "no_models"]);

const Found = lazyPart(() => import("@/features/providers/found").then((part) => part.Found));

export function AskError({ error, onDismiss }: { error: ApiError; onDismiss: () => void }) {
  const detail = error.unreachable ? STRINGS.draftSavedAway : (error.detail ?? STRINGS.draftSaved);
  return (
    <Notice alert tone="bad" title={error.message} detail={detail}>
      {NO_MODELS.has(error.code) && (
        <Popover>
          <PopoverTrigger asChild>
            <Button size="sm">{STRINGS.addModels}</Button>
          </PopoverTrigger>
          <PopoverContent align="end" className="w-[min(520px,92vw)] p-4">
            <Found />
          </PopoverContent>
        </Popover>
      )}
      <Button size="sm" variant="quiet" onClick={onDismiss}>
        {STRINGS.dismiss}
      </Button>
    </Notice>
  );
}
