import { Link } from "@tanstack/react-router";
import type { ModelCard } from "@/api/types";
import { ModelMark } from "@/components/model-mark";
import { cn } from "@/lib/cn";

interface ModelNameProps {
  model: ModelCard;
  className?: string;
}

/** A model's name with its organisation's mark; leads to the model's page. */
export function ModelName({ model, className }: ModelNameProps) {
  return (
    <span className={cn("flex min-w-0 items-center gap-2.5", className)}>
      <ModelMark organization={model.organization} name={model.name} />
      <Link
        to="/models/$model"
        params={{ model: model.id }}
        title={[model.name, model.organization].filter(Boolean).join(" · ")}
        className="rounded-xs leading-tight font-medium normal-nums [overflow-wrap:anywhere] hover:underline touch:-my-3.5 touch:min-w-11 touch:py-3.5"
        data-row-link
      >
        {model.name}
      </Link>
    </span>
  );
}
