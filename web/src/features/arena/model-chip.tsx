/** Shows which model will answer; opens the picker, which loads when first opened. */

import { useQuery } from "@tanstack/react-query";
import { ChevronDown, Cpu } from "lucide-react";
import { useState } from "react";
import { modelsQuery } from "@/api/queries";
import { AwaitedField } from "@/components/awaited-field";
import { lazyPart } from "@/components/lazy-part";
import { useComposer } from "@/features/arena/composer-store";
import { STRINGS } from "@/features/arena/strings";
import { Button } from "@/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";

const ModelPicker = lazyPart(
  () => import("@/features/arena/model-picker").then((part) => part.ModelPicker),
  <AwaitedField />,
);

export function ModelChip({ value, onChange }: { value: string | null; onChange: (id: string) => void }) {
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
          aria-label={STRINGS.modelOf(model?.name ?? STRINGS.noModel)}
        >
          <Cpu aria-hidden="true" />
          <span className="truncate">{model?.name ?? STRINGS.chooseModel}</span>
          <ChevronDown aria-hidden="true" className="size-3.5!" />
        </Button>
      </PopoverTrigger>
      <PopoverContent
        align="start"
        side="top"
        aria-label={STRINGS.chooseModel}
        className="w-[min(480px,calc(100vw-24px))] overflow-hidden"
      >
        <ModelPicker
          value={value}
          onChoose={(id) => {
            onChange(id);
            setOpen(false);
          }}
        />
      </PopoverContent>
    </Popover>
  );
}
