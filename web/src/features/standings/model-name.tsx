import { Link } from "@tanstack/react-router";
import type { ModelCard } from "@/api/types";
import { cn } from "@/lib/cn";
import { colorOfModel } from "@/lib/series";

export function ModelDot({ model, color }: { model: ModelCard; color?: string }) {
  return (
    <i
      aria-hidden="true"
      className="size-2 shrink-0 rounded-full"
      style={{ background: color ?? colorOfModel(model) }}
    />
  );
}

interface ModelNameProps {
  model: ModelCard;
  color?: string;
  className?: string;
}

/** A model's name with its organisation's dot; leads to the model's page. */
export function ModelName({ model, color, className }: ModelNameProps) {
  return (
    <span className={cn("flex min-w-0 items-center gap-2.5", className)}>
      <ModelDot model={model} {...(color && { color })} />
      <Link
        to="/models/$model"
        params={{ model: model.id }}
        title={`${model.name} · ${model.organization}`}
        className="truncate rounded-xs font-medium normal-nums hover:underline"
        data-row-link
      >
        {model.name}
      </Link>
    </span>
  );
}
