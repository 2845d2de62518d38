/** What can be done with a model that the database keeps. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { asApiError } from "@/api/problem";
import { changeModel, refreshCatalog, removeModel } from "@/api/providers";
import type { ModelCard } from "@/api/types";
import { EditModel } from "@/features/providers/edit-model";
import { RemoveDialog } from "@/features/providers/remove-dialog";
import { STRINGS } from "@/features/providers/strings";
import { showToast } from "@/lib/toast-store";
import { IconButton } from "@/ui/icon-button";
import { Menu, MenuCheck, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "@/ui/menu";

const BATTLE_TAG = "battle";

export function ModelActions({ model }: { model: ModelCard }) {
  const [open, setOpen] = useState<"edit" | "remove" | null>(null);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (asked: Parameters<typeof changeModel>[1]) => changeModel(model.id, asked),
    onSuccess: () => refreshCatalog(client),
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
  });
  const battle = model.tags.includes(BATTLE_TAG);
  return (
    <>
      <Menu modal={false}>
        <MenuTrigger asChild>
          <IconButton size="icon-sm" label={STRINGS.actionsFor(model.name)}>
            <Ellipsis />
          </IconButton>
        </MenuTrigger>
        <MenuContent align="end">
          <MenuCheck checked={battle} onCheckedChange={() => change.mutate({ battle: !battle })}>
            {STRINGS.useInBattles}
          </MenuCheck>
          <MenuItem onSelect={() => setOpen("edit")}>{STRINGS.edit}</MenuItem>
          <MenuItem onSelect={() => change.mutate({ enabled: !model.enabled })}>
            {model.enabled ? STRINGS.disable : STRINGS.enable}
          </MenuItem>
          <MenuSeparator />
          <MenuItem className="text-bad!" onSelect={() => setOpen("remove")}>
            {STRINGS.remove}
          </MenuItem>
        </MenuContent>
      </Menu>
      {open === "edit" && <EditModel model={model} onClose={() => setOpen(null)} />}
      {open === "remove" && (
        <RemoveDialog
          title={STRINGS.removeModel(model.name)}
          text={STRINGS.removeModelText}
          name={model.name}
          remove={(force) => removeModel(model.id, force)}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}
