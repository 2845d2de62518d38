/** What the demo models are, and how to connect others. */

import { useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { ChevronDown, Sparkles, X } from "lucide-react";
import { useState } from "react";
import { aboutQuery } from "@/api/queries";
import { lazyPart } from "@/components/lazy-part";
import { STRINGS } from "@/features/arena/strings";
import { cn } from "@/lib/cn";
import { useStored } from "@/lib/stored";
import { IconButton } from "@/ui/icon-button";

const Found = lazyPart(() => import("@/features/providers/found").then((part) => part.Found));

/** Shown while the demo models are the only ones. With the page itself: what came later would move the page. */
export function DemoBanner() {
  const { data: about } = useQuery(aboutQuery);
  const [dismissed, setDismissed] = useStored("demo-banner-dismissed", false);
  if (!about?.demo || dismissed) return null;
  return <Banner onDismiss={() => setDismissed(true)} />;
}

function Banner({ onDismiss }: { onDismiss: () => void }) {
  const [open, setOpen] = useState(false);
  const reading = useRouterState({ select: (state) => state.location.pathname.startsWith("/s/") });
  return (
    <section
      aria-label={STRINGS.aboutDemo}
      className={cn(
        "border-b border-line bg-surface px-3 py-1.5 text-sm max-sm:pb-0 sm:px-5",
        reading && "max-sm:hidden",
      )}
    >
      <div className="flex items-center gap-2.5">
        <Sparkles aria-hidden="true" className="size-[15px] shrink-0 text-accent max-sm:hidden" />
        <p className="min-w-0 flex-1 text-ink-2">
          <span className="max-sm:hidden">{STRINGS.demoModels}</span>
          <span className="sm:hidden">{STRINGS.demoModelsShort}</span>
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="inline-flex touch:min-h-11 items-center gap-1 rounded-xs font-medium whitespace-nowrap text-ink underline decoration-line-strong underline-offset-3 hover:decoration-current"
          >
            {STRINGS.connectModels}
            <ChevronDown
              aria-hidden="true"
              className={cn("size-3.5 transition-transform", open && "rotate-180")}
            />
          </button>
        </p>
        <IconButton size="icon-sm" label={STRINGS.dismiss} onClick={onDismiss}>
          <X />
        </IconButton>
      </div>
      {open && (
        <div className="max-w-2xl animate-fade-in pt-2 pb-2 sm:pl-6">
          <Found />
        </div>
      )}
    </section>
  );
}
