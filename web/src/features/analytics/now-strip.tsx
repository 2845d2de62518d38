/** What runs, waits, is stored and fails at this moment; each figure leads to where it is dealt with. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { overviewQuery } from "@/api/overview";
import { formatBytes, formatCount } from "@/lib/format";

const LITTLE_SPACE = 1e9;

export function NowStrip() {
  const { data: now } = useQuery(overviewQuery);
  const free = now?.disk_free_bytes;
  return (
    <section aria-label="Now" className="rounded-lg border border-line bg-surface px-4 py-2.5">
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
        <Figure name="Turns running">{now && formatCount(now.turns_running)}</Figure>
        <Figure name="Turns waiting">{now && formatCount(now.turns_waiting)}</Figure>
        {(now?.people ?? 0) > 0 && (
          <Figure name="People">
            <Link to="/settings" hash="people" className={LINK}>
              {formatCount(now?.people ?? 0)}
            </Link>
          </Figure>
        )}
        <Figure name="Providers">
          {now && (
            <Link to="/models" className={LINK}>
              {now.unwell === 0 ? "All well" : `${now.unwell} failing`}
            </Link>
          )}
        </Figure>
        <Figure name="Database">
          {now && (
            <Link to="/settings" hash="retention" className={LINK}>
              {formatBytes(now.database_bytes)}
            </Link>
          )}
        </Figure>
        {free !== null && (
          <Figure name="Disk">
            {free !== undefined && (
              <span className={free < LITTLE_SPACE ? "text-bad" : undefined}>{formatBytes(free)} free</span>
            )}
          </Figure>
        )}
      </dl>
    </section>
  );
}

const LINK = "underline decoration-line-strong underline-offset-4 hover:decoration-current";

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline gap-2">
      <dt className="text-ink-2">{name}</dt>
      <dd className="num font-medium">{children ?? "…"}</dd>
    </div>
  );
}
