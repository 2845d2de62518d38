import { Link } from "@tanstack/react-router";
import type { ModelCard } from "@/api/types";
import { cn } from "@/lib/cn";
import { colorOfModel, lettersOfModel } from "@/lib/series";

/** Whose a model is, in two letters on its organisation's colour. */
export function ModelMark({ model, color }: { model: ModelCard; color?: string }) {
  return (
    <i
      aria-hidden="true"
      data-mark
      title={model.organization}
      className="flex h-4.5 w-5.5 shrink-0 items-center justify-center rounded-xs text-[10px] leading-none font-bold tracking-tight text-(--mark-ink) not-italic select-none"
      style={{ background: color ?? colorOfModel(model) }}
    >
      {lettersOfModel(model)}
    </i>
  );
}

interface ModelNameProps {
  model: ModelCard;
  color?: string;
  className?: string;
}

/** A model's name with its organisation's mark; leads to the model's page. */
export function ModelName({ model, color, className }: ModelNameProps) {
  return (
    <span className={cn("flex min-w-0 items-center gap-2.5", className)}>
      <ModelMark model={model} {...(color && { color })} />
      <Link
        to="/models/$model"
        params={{ model: model.id }}
        title={`${model.name} · ${model.organization}`}
        className="rounded-xs leading-tight font-medium normal-nums [overflow-wrap:anywhere] hover:underline touch:-my-3.5 touch:min-w-11 touch:py-3.5"
        data-row-link
      >
        {model.name}
      </Link>
    </span>
  );
}
