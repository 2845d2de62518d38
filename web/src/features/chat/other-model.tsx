/** Asks the same question of another model. */
import { ModelPicker } from "@/features/arena/model-picker";
import { STRINGS } from "@/features/chat/strings";
import { Dialog } from "@/ui/dialog";

interface OtherModelProps {
  open: boolean;
  value: string | null;
  onOpenChange: (open: boolean) => void;
  onChoose: (model: string) => void;
}

export function OtherModel({ open, value, onOpenChange, onChoose }: OtherModelProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={STRINGS.answerWith} titled>
      <div className="mt-3 border-t border-line">
        <ModelPicker
          value={value}
          onChoose={(model) => {
            onOpenChange(false);
            onChoose(model);
          }}
        />
      </div>
    </Dialog>
  );
}
