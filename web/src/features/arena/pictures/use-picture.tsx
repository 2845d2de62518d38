/** Where a turn is offered as a picture: an entry of its menus, and a button. */

import { Image } from "lucide-react";
import { useContext, useState } from "react";
import { lazyPart } from "@/components/lazy-part";
import type { Scene } from "@/features/arena/pictures/scene";
import { TurnPlaceContext } from "@/features/arena/turn-place";
import { MenuItem } from "@/ui/menu";

const PictureDialog = lazyPart(() =>
  import("@/features/arena/pictures/picture-dialog").then((part) => part.PictureDialog),
);

export function usePicture() {
  const { picture } = useContext(TurnPlaceContext);
  const [scene, setScene] = useState<Scene | null>(null);
  return {
    item: picture && (
      <MenuItem onSelect={() => setScene(picture())}>
        <Image aria-hidden="true" />
        Save a picture…
      </MenuItem>
    ),
    dialog: scene && <PictureDialog scene={scene} onClose={() => setScene(null)} />,
  };
}

export function PictureButton({ picture, className }: { picture: () => Scene; className: string }) {
  const [scene, setScene] = useState<Scene | null>(null);
  return (
    <>
      <button type="button" className={className} onClick={() => setScene(picture())}>
        Save a picture…
      </button>
      {scene && <PictureDialog scene={scene} onClose={() => setScene(null)} />}
    </>
  );
}
