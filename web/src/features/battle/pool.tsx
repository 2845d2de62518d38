/** The models that a battle may draw, and how it draws them. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { aboutQuery } from "@/api/queries";
import type { ModelCard } from "@/api/types";
import { LAZY_STRINGS } from "@/features/battle/lazy-strings";
import { ModelMark } from "@/features/standings/model-name";
import { filled } from "@/lib/filled";

interface PoolProps {
  models: readonly ModelCard[];
  /** Only those that can read the picture of the question. */
  pictured: boolean;
}

export function Pool({ models, pictured }: PoolProps) {
  const { data: about } = useQuery(aboutQuery);
  return (
    <>
      <div className="border-b border-line px-4 py-3 text-sm">
        <h2 className="font-semibold">{LAZY_STRINGS.poolTitle}</h2>
        <p className="mt-1 text-ink-2">
          {about && LAZY_STRINGS.sampling[about.sampling]}
          {LAZY_STRINGS.poolHint}
          {pictured && LAZY_STRINGS.poolPictured}
        </p>
      </div>
      <ul className="min-h-0 flex-1 overflow-y-auto px-2 py-1.5" data-scroll-area>
        {models.map((model) => (
          <li key={model.id} className="flex min-h-9 items-center gap-2.5 px-2 py-1 text-sm">
            <ModelMark model={model} />
            <span className="min-w-0 flex-1 leading-tight [overflow-wrap:anywhere]">{model.name}</span>
            <span className="max-w-2/5 text-right text-xs text-ink-3 [overflow-wrap:anywhere]">
              {model.organization}
            </span>
          </li>
        ))}
      </ul>
      <p className="border-t border-line px-4 py-2.5 text-xs text-ink-3">
        {filled(LAZY_STRINGS.poolTag, { tag: <code className="font-mono">battle</code> })}
        <Link to="/models" className="text-ink-2 underline underline-offset-2 hover:text-ink">
          {LAZY_STRINGS.allModels}
        </Link>
      </p>
    </>
  );
}
