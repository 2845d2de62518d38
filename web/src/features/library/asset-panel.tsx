/** A thing from the library, beside the grid: what it is, where it was made, and what can be done with it. */
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { fileUrl } from "@/api/attachments";
import { assetQuery, readContent } from "@/api/library";
import { asApiError } from "@/api/problem";
import { SandboxFrame } from "@/components/sandbox-frame";
import { AssetActions } from "@/features/library/asset-actions";
import { AssetFacts } from "@/features/library/asset-facts";
import { AssetTags } from "@/features/library/asset-tags";
import { useMedia } from "@/lib/use-media";
import { Drawer } from "@/ui/dialog";
import { IconButton } from "@/ui/icon-button";
import { Skeleton } from "@/ui/skeleton";

interface AssetPanelProps {
  id: string;
  before: string | undefined;
  after: string | undefined;
  onOpen: (id: string | undefined) => void;
}

export function AssetPanel(props: AssetPanelProps) {
  const beside = useMedia("(min-width: 1100px)");
  if (beside) {
    return (
      <aside
        aria-label="Asset"
        className="flex w-[352px] shrink-0 animate-fade-in flex-col border-l border-line bg-surface"
      >
        <Content {...props} />
      </aside>
    );
  }
  return (
    <Drawer
      open
      onOpenChange={(open) => !open && props.onOpen(undefined)}
      title="Asset"
      className="right-0 flex w-[min(420px,100vw)] flex-col border-l [--drawer-from:100%]"
    >
      <Content {...props} />
    </Drawer>
  );
}

function Content({ id, before, after, onOpen }: AssetPanelProps) {
  const { data: view, error } = useQuery(assetQuery(id));
  const heading = useRef<HTMLHeadingElement>(null);
  const loaded = view !== undefined;
  useEffect(() => {
    if (loaded) heading.current?.focus({ preventScroll: true });
  }, [loaded]);
  return (
    <>
      <header className="flex min-h-13 items-center gap-1 border-b border-line pr-2 pl-4">
        <h2
          ref={heading}
          tabIndex={-1}
          className="min-w-0 flex-1 truncate font-semibold outline-none"
          title={view?.asset.title}
        >
          {view?.asset.title ?? (error ? "Not found" : "Loading…")}
        </h2>
        <IconButton size="icon-sm" label="Previous" disabled={!before} onClick={() => onOpen(before)}>
          <ChevronLeft />
        </IconButton>
        <IconButton size="icon-sm" label="Next" disabled={!after} onClick={() => onOpen(after)}>
          <ChevronRight />
        </IconButton>
        <IconButton size="icon-sm" label="Close" onClick={() => onOpen(undefined)}>
          <X />
        </IconButton>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto" data-scroll-area>
        {error && <p className="p-4 text-sm text-ink-2">{asApiError(error).message}</p>}
        {!view && !error && <Skeleton className="m-4 h-60" />}
        {view && (
          <>
            <div className="p-4">
              {view.asset.kind === "picture" ? (
                <a href={fileUrl(view.asset.sha256)} target="_blank" rel="noopener" aria-label="Open picture">
                  <img
                    src={fileUrl(view.asset.sha256)}
                    alt={view.asset.title}
                    width={view.asset.width ?? undefined}
                    height={view.asset.height ?? undefined}
                    className="h-auto max-h-72 w-full rounded-md border border-line bg-raised object-contain"
                  />
                </a>
              ) : (
                <TextContent id={id} name={view.asset.title} />
              )}
              <AssetActions view={view} onGone={() => onOpen(after ?? before)} />
            </div>
            <AssetFacts view={view} onOpen={onOpen} />
            <AssetTags view={view} />
          </>
        )}
      </div>
    </>
  );
}

const FRAMED = /\.(html?|svg)$/i;

/** The text of a code block or a kept reply; a page or drawing is shown where it can reach nothing. */
function TextContent({ id, name }: { id: string; name: string }) {
  const { data: text } = useQuery({
    queryKey: ["library", "text", id],
    queryFn: () => readContent(id),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (text === undefined) return <Skeleton className="h-40" />;
  return (
    <>
      {FRAMED.test(name) && (
        <SandboxFrame
          title={`Preview of ${name}`}
          html={text}
          className="mb-3 h-56 w-full rounded-md border border-line bg-white"
        />
      )}
      <pre
        tabIndex={0}
        role="group"
        aria-label="Content"
        className="m-0 max-h-72 overflow-auto rounded-md border border-line bg-page p-3 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {text.slice(0, 20_000)}
      </pre>
    </>
  );
}
