import type { ReactNode } from "react";
import type { ModelUse } from "@/api/standings-types";
import type { ModelCard } from "@/api/types";
import { Panel } from "@/components/panel";
import { STRINGS } from "@/features/leaderboard/model/strings";
import { formatContext, formatCost, formatCount, formatMs, formatPrice, formatRate } from "@/lib/format";

/** What the catalog says, and what its replies took here. */
export function Facts({ model, use }: { model: ModelCard; use: ModelUse }) {
  const together = model.kind === "ensemble";
  return (
    <Panel title={STRINGS.details}>
      <List>
        <Fact name={STRINGS.organisation}>{model.organization}</Fact>
        <Fact name={STRINGS.licence}>{model.license}</Fact>
        <Fact name={STRINGS.provider}>{together ? STRINGS.variesByMember : providerOf(model)}</Fact>
        <Fact name={STRINGS.context}>
          {model.context_window === null ? "–" : STRINGS.contextTokens(formatContext(model.context_window))}
        </Fact>
        <Fact name={STRINGS.priceHead}>
          {model.prices
            ? STRINGS.price(formatPrice(model.prices.input), formatPrice(model.prices.output))
            : together
              ? STRINGS.variesByMember
              : STRINGS.noPrice}
        </Fact>
        {model.capabilities.length > 0 && (
          <Fact name={STRINGS.capabilities}>{model.capabilities.join(", ")}</Fact>
        )}
        <Fact name={STRINGS.id}>
          <span className="font-mono text-xs">{model.id}</span>
        </Fact>
      </List>
      <h3 className="mt-3 border-t border-line pt-3 pb-1 text-xs font-medium text-ink-3">{STRINGS.usage}</h3>
      {use.replies === 0 && <p className="text-sm text-ink-2">{STRINGS.noReplies}</p>}
      {use.replies > 0 && (
        <List>
          <Fact name={STRINGS.replies}>{formatCount(use.replies)}</Fact>
          <Fact name={STRINGS.ttftSpread} title={STRINGS.ttftSpreadHint}>
            {`${formatMs(use.ttft_p50_ms)}, ${formatMs(use.ttft_p90_ms)}`}
          </Fact>
          <Fact name={STRINGS.speed}>{formatRate(use.tokens_per_second)}</Fact>
          <Fact name={STRINGS.output}>{STRINGS.outputTokens(formatCount(use.output_tokens))}</Fact>
          <Fact name={STRINGS.cost}>{formatCost(use.cost_micros)}</Fact>
          <Fact name={STRINGS.costPerReply}>{formatCost(use.cost_per_reply_micros)}</Fact>
        </List>
      )}
    </Panel>
  );
}

const providerOf = ({ provider, local }: ModelCard) =>
  provider === null ? "–" : local ? STRINGS.localProvider(provider) : STRINGS.remoteProvider(provider);

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
