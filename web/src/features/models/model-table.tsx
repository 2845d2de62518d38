/** A table on wide screens, cards on narrow ones. */

import { Link, useNavigate } from "@tanstack/react-router";
import { Cloud, HardDrive, MessageCircle, Users } from "lucide-react";
import type { ReactNode } from "react";
import type { ModelCard } from "@/api/types";
import { STRINGS } from "@/features/models/strings";
import { ModelActions } from "@/features/providers/model-actions";
import { cn } from "@/lib/cn";
import { formatContext, formatPrice } from "@/lib/format";
import { useMedia } from "@/lib/use-media";
import { Button } from "@/ui/button";

export function ModelTable({ models }: { models: ModelCard[] }) {
  const wide = useMedia("(min-width: 1240px)");
  if (!wide) {
    return (
      <ul className="flex flex-col gap-2.5">
        {models.map((model) => (
          <Card key={model.id} model={model} />
        ))}
      </ul>
    );
  }
  return (
    <div className="overflow-x-auto rounded-lg border border-line bg-surface">
      <table className="w-full text-[13.5px]">
        <thead>
          <tr className="text-left text-xs text-ink-3">
            <Head>{STRINGS.model}</Head>
            <Head>{STRINGS.organisationLicence}</Head>
            <Head>{STRINGS.provider}</Head>
            <Head right>{STRINGS.context}</Head>
            <Head right>{STRINGS.input}</Head>
            <Head right>{STRINGS.output}</Head>
            <Head>{STRINGS.capabilities}</Head>
            <Head>
              <span className="sr-only">{STRINGS.actions}</span>
            </Head>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={model.id} className={cn("border-t border-line", !model.enabled && "text-ink-3")}>
              <td className="max-w-72 px-4 py-2.5">
                <Link
                  to="/models/$model"
                  params={{ model: model.id }}
                  className="block rounded-xs font-medium [overflow-wrap:anywhere] hover:underline"
                  title={model.id}
                >
                  {model.name}
                </Link>
                {model.description && (
                  <p className="truncate text-xs text-ink-3" title={model.description}>
                    {model.description}
                  </p>
                )}
              </td>
              <td className="max-w-48 px-3 py-2.5 text-ink-2">
                <p className="[overflow-wrap:anywhere]">{model.organization}</p>
                <p className="truncate text-xs text-ink-3" title={model.license}>
                  {model.license}
                </p>
              </td>
              <td className="px-3 py-2.5 text-ink-2">
                <Provider model={model} />
              </td>
              <td className="num px-3 py-2.5 text-right text-ink-2">{formatContext(model.context_window)}</td>
              <td className="num px-3 py-2.5 text-right whitespace-nowrap text-ink-2">
                <Price value={model.prices?.input} />
              </td>
              <td className="num px-3 py-2.5 text-right whitespace-nowrap text-ink-2">
                <Price value={model.prices?.output} />
              </td>
              <td className="px-3 py-2.5">
                <Abilities model={model} />
              </td>
              <td className="py-2 pr-4 pl-2 text-right">
                <span className="inline-flex items-center gap-1">
                  <ChatButton model={model} />
                  {model.source === "database" && <ModelActions model={model} />}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="border-t border-line px-4 py-2 text-xs text-ink-3">{STRINGS.pricesHint}</p>
    </div>
  );
}

function Head({ right, children }: { right?: boolean; children: ReactNode }) {
  return (
    <th scope="col" className={cn("px-3 py-2.5 font-medium first:pl-4", right && "text-right")}>
      {children}
    </th>
  );
}

function Card({ model }: { model: ModelCard }) {
  return (
    <li className="rounded-lg border border-line bg-surface p-4">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="font-medium [overflow-wrap:anywhere]">
            <Link to="/models/$model" params={{ model: model.id }} className="rounded-xs hover:underline">
              {model.name}
            </Link>
          </h2>
          <p className="text-sm text-ink-3">
            {model.organization} · {model.license}
          </p>
        </div>
        <span className="flex items-center gap-1">
          <ChatButton model={model} />
          {model.source === "database" && <ModelActions model={model} />}
        </span>
      </div>
      {model.description && <p className="mt-1.5 text-sm text-ink-2">{model.description}</p>}
      <div className="num mt-2.5 flex flex-wrap items-center gap-x-4 gap-y-1.5 text-xs text-ink-2">
        <Provider model={model} />
        {model.context_window !== null && (
          <span>{STRINGS.contextTokens(formatContext(model.context_window))}</span>
        )}
        <span>
          {model.prices
            ? STRINGS.price(formatPrice(model.prices.input), formatPrice(model.prices.output))
            : noPrice(model)}
        </span>
        <Abilities model={model} />
      </div>
    </li>
  );
}

function Provider({ model }: { model: ModelCard }) {
  const Where = model.local ? HardDrive : Cloud;
  if (model.kind === "ensemble") {
    return (
      <span className="inline-flex items-center gap-1.5 whitespace-nowrap" title={STRINGS.ensembleHint}>
        <Users aria-hidden="true" className="size-3.5 shrink-0 text-ink-3" />
        {STRINGS.variesByMember}
      </span>
    );
  }
  return (
    <span
      className="inline-flex items-center gap-1.5 whitespace-nowrap"
      title={model.local ? STRINGS.local : STRINGS.remote}
    >
      <Where aria-hidden="true" className="size-3.5 shrink-0 text-ink-3" />
      {model.provider ?? "–"}
      <span className="text-ink-3">{model.local ? STRINGS.localMark : STRINGS.remoteMark}</span>
    </span>
  );
}

const noPrice = (model: ModelCard) => (model.kind === "ensemble" ? STRINGS.variesByMember : STRINGS.noPrice);

const Price = ({ value }: { value: number | undefined }) => (value === undefined ? "–" : formatPrice(value));

function Abilities({ model }: { model: ModelCard }) {
  return (
    <span className="flex gap-1">
      {model.capabilities.map((capability) => (
        <span
          key={capability}
          className="rounded-xs border border-line px-1.5 text-2xs leading-[17px] text-ink-2"
        >
          {capability}
        </span>
      ))}
    </span>
  );
}

function ChatButton({ model }: { model: ModelCard }) {
  const navigate = useNavigate();
  if (!model.enabled) return <span className="text-xs whitespace-nowrap text-ink-3">{STRINGS.disabled}</span>;
  return (
    <Button
      size="sm"
      aria-label={STRINGS.chatWith(model.name)}
      onClick={() => navigate({ to: "/", search: { mode: "chat", model: model.id } })}
    >
      <MessageCircle aria-hidden="true" />
      {STRINGS.startAChat}
    </Button>
  );
}
