/** What can be done with a thing from the library. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Download, Link as LinkIcon, Trash2 } from "lucide-react";
import { type AssetView, contentUrl, deleteAsset, libraryKey, restoreAsset } from "@/api/library";
import { useMayWrite } from "@/api/permissions";
import { asApiError } from "@/api/problem";
import { useComposer } from "@/features/arena/composer-store";
import { NO_SETTINGS } from "@/features/lineup/seat-settings";
import { showToast } from "@/lib/toast-store";
import { writeText } from "@/lib/use-copy";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";

interface AssetActionsProps {
  view: AssetView;
  onGone: () => void;
}

export function AssetActions({ view, onGone }: AssetActionsProps) {
  const { asset, source } = view;
  const client = useQueryClient();
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const refresh = () => client.invalidateQueries({ queryKey: libraryKey });
  const bad = (error: unknown) => showToast(asApiError(error).message, { tone: "bad" });
  const restore = useMutation({
    mutationFn: () => restoreAsset(asset.id),
    onSuccess: () => showToast("Restored."),
    onError: bad,
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: () => deleteAsset(asset.id),
    onSuccess: () => {
      onGone();
      showToast("Deleted from the library.", { action: { label: "Undo", run: () => restore.mutate() } });
    },
    onError: bad,
    onSettled: refresh,
  });
  const model = source?.model?.enabled ? source.model.id : null;
  const use = () => {
    if (!source || !model) return;
    const composer = useComposer.getState();
    composer.setDraft("new", source.prompt);
    composer.setModel(model);
    composer.setMode("chat");
    composer.setSetup("chat", "new", source.settings ? { ...NO_SETTINGS, picture: source.settings } : null);
    navigate({ to: "/", search: { mode: "chat", model } });
  };
  const link = () =>
    writeText(`${location.origin}/library?open=${asset.id}`).then(
      () => showToast("Link copied. It opens for those who can see this library."),
      () => showToast("Can’t copy. Allow clipboard access in your browser.", { tone: "bad" }),
    );
  return (
    <div className="mt-3 flex items-center gap-2">
      {mayWrite && model && (
        <Button variant="primary" className="flex-1 justify-center" onClick={use}>
          Use these settings
        </Button>
      )}
      <IconButton asChild label="Download">
        <a href={contentUrl(asset.id)} download={asset.kind === "picture" ? pictureName(view) : ""}>
          <Download aria-hidden="true" />
        </a>
      </IconButton>
      <IconButton label="Copy link" onClick={link}>
        <LinkIcon />
      </IconButton>
      {mayWrite && (
        <IconButton label="Delete" disabled={remove.isPending} onClick={() => remove.mutate()}>
          <Trash2 />
        </IconButton>
      )}
    </div>
  );
}

const pictureName = ({ asset }: AssetView) =>
  `${asset.title.replace(/\.(png|jpe?g|webp)$/i, "").slice(0, 60)}.${asset.media_type.replace("image/", "").replace("jpeg", "jpg")}`;
