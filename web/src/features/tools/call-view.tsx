/** One call of a tool: a query with its SQL and rows, or any other with its arguments and result. */
import { useQuery } from "@tanstack/react-query";
import { Database, TriangleAlert, Wrench } from "lucide-react";
import type { ReactNode } from "react";
import { useMayWrite } from "@/api/permissions";
import type { ToolCallView } from "@/api/types";
import { Disclosure } from "@/components/disclosure";
import { queryOf, tableOf } from "@/features/tools/query-result";
import { QueryView } from "@/features/tools/query-view";
import { SignInButton } from "@/features/tools/server-row";
import { outcomeOf } from "@/features/tools/tool-outcome";
import { sessionToolsQuery, usePermitTool } from "@/features/tools/tools-api";
import { Button } from "@/ui/button";

interface CallViewProps {
  call: ToolCallView;
  session: string;
  running: boolean;
}

export function CallView({ call, session, running }: CallViewProps) {
  const query = call.name === "query" ? queryOf(call.arguments) : null;
  const table = query && call.result && !call.result.error ? tableOf(call.result.text) : null;
  const { summary, text, failed } = outcomeOf(call, running);
  const rows = table && `${table.rowCount.toLocaleString("en-US")} ${table.rowCount === 1 ? "row" : "rows"}`;
  return (
    <>
      <Disclosure
        // Unfolded once its rows are here.
        key={String(table !== null)}
        className="overflow-hidden bg-surface"
        unfolded={table !== null}
        label={
          <>
            {query ? (
              <Database aria-hidden="true" className="size-3.5 shrink-0" />
            ) : (
              <Wrench aria-hidden="true" className="size-3.5 shrink-0" />
            )}
            <span className="shrink-0 font-mono text-xs font-semibold text-ink">{call.name}</span>
            {query?.title && <span className="truncate text-ink-3">{query.title}</span>}
          </>
        }
        aside={
          <span className={failed ? "text-bad" : undefined}>
            {failed && <TriangleAlert aria-hidden="true" className="mr-1 inline size-3" />}
            {rows ?? summary}
          </span>
        }
      >
        {query && table ? (
          <QueryView session={session} sql={query.sql} table={table} />
        ) : (
          <>
            <Part title={query ? "SQL" : "Arguments"}>{query?.sql ?? call.arguments}</Part>
            {text !== null && <Part title={failed ? "Error" : "Result"}>{text}</Part>}
          </>
        )}
      </Disclosure>
      {running && !call.result && <Permission call={call} session={session} />}
      {call.result?.error?.code === "tool_sign_in_needed" && <SignInHere call={call} session={session} />}
    </>
  );
}

/** The way to sign in at the server of a tool, for who has to before it can be called. */
function SignInHere({ call, session }: Omit<CallViewProps, "running">) {
  const { data } = useQuery({ ...sessionToolsQuery(session), refetchOnMount: "always" });
  const server = data?.servers.find(({ name }) => call.name.startsWith(`${name}_`));
  if (!server) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-md border border-line-strong bg-raised px-3 py-2.5 text-sm">
      {server.wants_sign_in ? (
        <>
          <p className="m-0">
            <strong>{server.title}</strong> wants to know who asks. Sign in there, then ask again.
          </p>
          <SignInButton server={server} back={window.location.pathname} />
        </>
      ) : (
        <p className="m-0">
          You are signed in at <strong>{server.title}</strong> now. Ask again to use it.
        </p>
      )}
    </div>
  );
}

/** A question to the person, where the tool asks first and nothing was said yet. */
function Permission({ call, session }: Omit<CallViewProps, "running">) {
  const { data } = useQuery({ ...sessionToolsQuery(session), refetchOnMount: "always" });
  const permit = usePermitTool(session);
  const mayWrite = useMayWrite();
  const tool = data?.tools.find(({ name }) => name === call.name);
  if (!tool?.asks || tool.allowed !== null || !mayWrite) return null;
  const answer = (allowed: boolean) => permit.mutate({ name: call.name, allowed });
  return (
    <div role="alert" className="rounded-md border border-line-strong bg-raised px-3 py-2.5 text-sm">
      <p className="m-0">
        <strong>{tool.source_title}</strong> wants to run{" "}
        <code className="font-mono text-xs">{call.name}</code>. It may change something. Look at the arguments
        above first.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button variant="primary" size="sm" disabled={permit.isPending} onClick={() => answer(true)}>
          Allow in this session
        </Button>
        <Button size="sm" disabled={permit.isPending} onClick={() => answer(false)}>
          Don’t allow
        </Button>
      </div>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <p className="m-0 text-xs text-ink-3 not-first:mt-2">{title}</p>
      <section aria-label={title} tabIndex={0} className="mt-0.5 max-h-80 overflow-auto">
        <pre className="m-0 text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">{children}</pre>
      </section>
    </>
  );
}
