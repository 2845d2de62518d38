import type { ReactNode } from "react";
import { Logo } from "@/components/logo";
import { PageHeader } from "@/components/page-header";

/** A page with nothing on it but what happened and what to do next. */
export function EmptyPage({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <>
      <PageHeader>
        <span className="flex-1" />
      </PageHeader>
      <div className="flex min-h-0 flex-1 flex-col items-center justify-center gap-3 p-6 text-center">
        <Logo className="mb-1 size-9" />
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        <p className="max-w-md text-ink-2">{text}</p>
        <div className="mt-2 flex gap-2">{children}</div>
      </div>
    </>
  );
}
