/** Every tool: on or off, and whether it asks first; and the servers that people sign in at. */
import { useQuery } from "@tanstack/react-query";
import { useMayWrite } from "@/api/permissions";
import { Setting } from "@/components/setting";
import { ServerRow, SignInFailure } from "@/features/tools/server-row";
import { type ToolView, toolsQuery, useChooseTool } from "@/features/tools/tools-api";
import { Checkbox } from "@/ui/checkbox";
import { Switch } from "@/ui/switch";

export function ToolRows() {
  const { data } = useQuery(toolsQuery);
  const failures = Object.entries(data?.failures ?? {});
  return (
    <>
      <SignInFailure />
      {data?.servers.map((server) => (
        <ServerRow key={server.name} server={server} />
      ))}
      {data?.tools.map((tool) => (
        <ToolRow key={tool.name} tool={tool} />
      ))}
      {failures.map(([source, why]) => (
        <Setting key={source} name={source} about={why} />
      ))}
    </>
  );
}

function ToolRow({ tool }: { tool: ToolView }) {
  const choose = useChooseTool();
  const mayWrite = useMayWrite();
  const { name, enabled, asks } = tool;
  return (
    <Setting
      name={`${tool.source_title}: ${name}`}
      about={`${tool.description} ${tool.reads_only ? "Reads only." : "May change something."}`}
    >
      <label className="flex items-center gap-2 text-sm text-ink-2">
        <Checkbox
          checked={asks}
          disabled={!mayWrite || !enabled || choose.isPending}
          onChange={(event) => choose.mutate({ name, enabled, asks: event.target.checked })}
        />
        Asks first
      </label>
      <Switch
        label={name}
        on={enabled}
        disabled={!mayWrite || choose.isPending}
        onChange={(next) => choose.mutate({ name, enabled: next, asks })}
      />
    </Setting>
  );
}
