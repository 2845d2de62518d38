/** The installed packages of Python, which are trusted code, and the servers of tools. */
import { ShieldCheck } from "lucide-react";
import type { InstalledPlugIn } from "@/api/plug-ins";
import { Setting } from "@/components/setting";
import { Button } from "@/ui/button";

/** What a hook adds. */
const HOOKS: Record<string, string> = {
  parley_modes: "modes",
  parley_connectors: "connectors",
  parley_features: "features",
  parley_checks: "checks",
  parley_tools: "tools",
  parley_measures: "measures",
  parley_image_models: "image models",
};

export function InstalledRows({ installed }: { installed: readonly InstalledPlugIn[] }) {
  return (
    <>
      {installed.map((each) => (
        <Setting
          key={each.name}
          name={`${each.package} ${each.version}`.trim()}
          about={
            <>
              <span className="block">{adds(each)}</span>
              {each.problem && <span className="mt-0.5 block text-bad">Skipped: {each.problem}</span>}
            </>
          }
        >
          <span
            className="inline-flex items-center gap-1.5 text-sm text-ink-2"
            title="It runs in Parley’s own process with all of its rights, as whoever installed it decided."
          >
            <ShieldCheck aria-hidden="true" className="size-3.5" />
            Trusted code
          </span>
        </Setting>
      ))}
      <Setting name="MCP servers" about="Servers of tools are listed with their tools.">
        <Button asChild>
          <a href="#tools">Show tools</a>
        </Button>
      </Setting>
    </>
  );
}

function adds({ name, hooks }: InstalledPlugIn): string {
  const what = hooks.map((hook) => HOOKS[hook] ?? hook).join(", ");
  return `Installed Python package, plug-in “${name}”. ${what ? `Adds ${what}.` : "Adds nothing."}`;
}
