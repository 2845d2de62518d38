/** Facts of a model in a cell of its row: what it costs, and what it can do. */

import { Binary, Braces, Brain, Eye, FileText, ImagePlus, type LucideIcon, Wrench } from "lucide-react";
import type { ReactNode } from "react";
import type { ModelCard } from "@/api/types";

export const hasPrice = (model: ModelCard) =>
  model.prices !== null || (model.local && model.kind === "single");

export function Price({ model }: { model: ModelCard }): ReactNode {
  const { prices } = model;
  if (!hasPrice(model)) return null;
  if (!prices || (prices.input === 0 && prices.output === 0)) return <span className="text-good">free</span>;
  return `${prices.input} / ${prices.output}`;
}

const ABILITIES: { ability: string; icon: LucideIcon; words: string }[] = [
  { ability: "vision", icon: Eye, words: "Sees pictures" },
  { ability: "files", icon: FileText, words: "Reads files" },
  { ability: "json", icon: Braces, words: "JSON" },
  { ability: "tools", icon: Wrench, words: "Tools" },
  { ability: "reasoning", icon: Brain, words: "Takes a reasoning effort" },
  { ability: "images", icon: ImagePlus, words: "Draws pictures" },
  { ability: "embeddings", icon: Binary, words: "Embeddings" },
];

export function Abilities({ model }: { model: ModelCard }) {
  const other = model.capabilities.includes("images") || model.capabilities.includes("embeddings");
  return (
    <span className="flex gap-1.5">
      {ABILITIES.filter((_, index) => index < 5 || other).map(({ ability, icon: Icon, words }) =>
        model.capabilities.includes(ability) ? (
          <span key={ability} title={words} className="text-ink-2">
            <Icon aria-hidden="true" className="size-3.5" />
            <span className="sr-only">{words}</span>
          </span>
        ) : (
          !other && <span key={ability} aria-hidden="true" className="size-3.5" />
        ),
      )}
    </span>
  );
}

/** A model's own page, where its results are. */
