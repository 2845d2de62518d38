/** Says what happened, what was kept and what to do; with buttons. */
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

interface NoticeProps {
  title: string;
  detail?: string | null;
  tone?: "plain" | "bad";
  alert?: boolean;
  children?: ReactNode;
}

export function Notice({ title, detail, tone = "plain", alert, children }: NoticeProps) {
  return (
    <div
      role={alert ? "alert" : undefined}
      className={cn(
        "flex flex-wrap items-center gap-x-4 gap-y-2.5 rounded-md border bg-surface px-4 py-2.5 text-sm",
        tone === "bad" ? "border-bad/40" : "border-line-strong",
      )}
    >
      <CircleAlert
        aria-hidden="true"
        className={cn("size-4 shrink-0", tone === "bad" ? "text-bad" : "text-ink-3")}
      />
      <div className="min-w-0 flex-1 basis-60 [overflow-wrap:anywhere]">
        <p className="font-medium">{title}</p>
        {detail && <p className="text-ink-2">{detail}</p>}
      </div>
      {children && <div className="flex flex-wrap gap-2">{children}</div>}
    </div>
  );
}
