import { useQuery } from "@tanstack/react-query";
import { ChevronDown, Sparkles, X } from "lucide-react";
import { useState } from "react";
import { aboutQuery } from "@/api/queries";
import { ConnectModels } from "@/features/arena/connect-models";
import { cn } from "@/lib/cn";
import { useStored } from "@/lib/stored";
import { IconButton } from "@/ui/icon-button";

/** Explains the demo models, while they are the only ones. */
export function DemoBanner() {
  const { data: about } = useQuery(aboutQuery);
  const [dismissed, setDismissed] = useStored("demo-banner-dismissed", false);
  const [open, setOpen] = useState(false);
  if (!about?.demo || dismissed) return null;
  return (
    <section
      aria-label="About the demo models"
      className="border-b border-line bg-surface px-3 py-1.5 text-sm sm:px-5"
    >
      <div className="flex items-center gap-2.5">
        <Sparkles aria-hidden="true" className="size-[15px] shrink-0 text-accent max-sm:hidden" />
        <p className="min-w-0 flex-1 text-ink-2">
          <span className="max-sm:hidden">
            You are talking with demo models: scripted characters that need no key and no network.{" "}
          </span>
          <span className="sm:hidden">Demo models are answering. </span>
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="inline-flex items-center gap-1 rounded-xs font-medium whitespace-nowrap text-ink underline decoration-line-strong underline-offset-3 hover:decoration-current"
          >
            Connect real models
            <ChevronDown
              aria-hidden="true"
              className={cn("size-3.5 transition-transform", open && "rotate-180")}
            />
          </button>
        </p>
        <IconButton size="icon-sm" label="Dismiss" onClick={() => setDismissed(true)}>
          <X />
        </IconButton>
      </div>
      {open && (
        <div className="max-w-2xl animate-fade-in pt-2 pb-2 sm:pl-6">
          <ConnectModels />
        </div>
      )}
    </section>
  );
}
