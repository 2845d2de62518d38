/** Shows which model will answer; opens the picker, which loads when first opened. */

import { useQuery } from "@tanstack/react-query";
import { ChevronDown, Cpu } from "lucide-react";
import { type ReactNode, useState } from "react";
import { modelsQuery } from "@/api/queries";
import { AwaitedField } from "@/components/awaited-field";
import { lazyPart } from "@/components/lazy-part";
import { useComposer } from "@/features/arena/composer-store";
import { Button } from "@/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";

const ModelPicker = lazyPart(
  () => import("@/features/arena/model-picker").then((part) => part.ModelPicker),
  <AwaitedField />,
);

interface ModelChipProps {
  value: string | null;
  onChange: (id: string) => void;
  /** Stands behind the model's name. */
  detail?: string | undefined;
  /** Stands above the models. */
  above?: ReactNode;
}

export function ModelChip({ value, onChange, detail, above }: ModelChipProps) {
  const [open, setOpen] = useState(false);
  const { data: models } = useQuery(modelsQuery);
  const model = models?.find((each) => each.id === value);
  const unseeing = useComposer((state) => state.unseeing.includes(value ?? ""));
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button
          variant="chip"
          size="sm"
          className={unseeing ? "max-w-full border-bad! text-bad!" : "max-w-full"}
          aria-label={model ? `Model: ${model.name}${detail ? `, ${detail}` : ""}` : undefined}
        >
          <Cpu aria-hidden="true" />
          <span className="truncate">{model?.name ?? "Choose a model"}</span>
          {detail && <span className="shrink-0 text-ink-3">{detail}</span>}
          <ChevronDown aria-hidden="true" className="size-3.5!" />
        </Button>
      </PopoverTrigger>
      <PopoverContent
        align="start"
        side="top"
        aria-label="Choose a model"
        className="flex max-h-(--radix-popover-content-available-height) w-[min(480px,calc(100vw-24px))] flex-col overflow-hidden"
      >
        {above && <div className="shrink-0 overflow-x-auto">{above}</div>}
        <div className="flex min-h-0 flex-col">
          <ModelPicker
            value={value}
            onChoose={(id) => {
              onChange(id);
              setOpen(false);
            }}
          />
        </div>
      </PopoverContent>
    </Popover>
  );
}
