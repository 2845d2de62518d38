import type { ReactNode } from "react";
import type { ModelUse } from "@/api/standings-types";
import type { ModelCard } from "@/api/types";
import { Panel } from "@/components/panel";
import { formatContext, formatCost, formatCount, formatMs, formatPrice, formatRate } from "@/lib/format";

/** What the catalog says, and what its replies took here. */
export function Facts({ model, use }: { model: ModelCard; use: ModelUse }) {
  const together = model.kind === "ensemble";
  return (
    <Panel title="Details">
      <List>
        {model.organization && <Fact name="Organisation">{model.organization}</Fact>}
        {model.license && <Fact name="Licence">{model.license}</Fact>}
        <Fact name="Provider">{together ? "varies by member" : providerOf(model)}</Fact>
        {model.context_window !== null && (
          <Fact name="Context">{formatContext(model.context_window)} tokens</Fact>
        )}
        <Fact name="Price (input, output)">
          {model.prices
            ? `${formatPrice(model.prices.input)}, ${formatPrice(model.prices.output)} per million tokens`
            : together
              ? "varies by member"
              : "no price"}
        </Fact>
        {model.capabilities.length > 0 && <Fact name="Capabilities">{model.capabilities.join(", ")}</Fact>}
        <Fact name="ID">
          <span className="font-mono text-xs">{model.id}</span>
        </Fact>
      </List>
      <h3 className="mt-3 border-t border-line pt-3 pb-1 text-xs font-medium text-ink-3">Usage</h3>
      {use.replies === 0 && <p className="text-sm text-ink-2">No voted replies yet.</p>}
      {use.replies > 0 && (
        <List>
          <Fact name="Replies">{formatCount(use.replies)}</Fact>
          <Fact name="First word after" title="Median, and the time that 9 of 10 answers kept">
            {`${formatMs(use.ttft_p50_ms)} (9 of 10 within ${formatMs(use.ttft_p90_ms)})`}
          </Fact>
          <Fact name="Speed">{formatRate(use.tokens_per_second)}</Fact>
          <Fact name="Output">{formatCount(use.output_tokens)} tokens</Fact>
          <Fact name="Cost">{formatCost(use.cost_micros)}</Fact>
          <Fact name="Cost per reply">{formatCost(use.cost_per_reply_micros)}</Fact>
        </List>
      )}
    </Panel>
  );
}

const providerOf = ({ provider, local }: ModelCard) =>
  provider === null ? "–" : local ? `${provider}, local` : `${provider}, remote`;

const List = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1 text-sm">{children}</dl>
);

function Fact({ name, title, children }: { name: string; title?: string; children: ReactNode }) {
  return (
    <>
      <dt title={title} className="text-ink-3">
        {name}
      </dt>
      <dd className="text-right [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}
