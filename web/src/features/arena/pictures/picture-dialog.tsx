/** A turn as a picture: how it will look, to be copied or saved. */

import { Copy, Download } from "lucide-react";
import { useEffect, useState } from "react";
import { drawPicture, type PictureLook } from "@/features/arena/pictures/draw-picture";
import { fileName, type Scene } from "@/features/arena/pictures/scene";
import { saveFile } from "@/lib/save-file";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Segmented } from "@/ui/segmented";
import { Skeleton } from "@/ui/skeleton";

interface Drawn {
  blob: Blob;
  url: string;
}

const ENDED = { drawn: null, problem: "" };

/** The picture in a look; the one before it stays in sight until it is drawn. */
function usePicture(scene: Scene, { theme, shape }: PictureLook) {
  const [state, setState] = useState<{ drawn: Drawn | null; problem: string }>(ENDED);
  useEffect(() => {
    let here = true;
    drawPicture(scene, { theme, shape }).then(
      (blob) => here && setState({ drawn: { blob, url: URL.createObjectURL(blob) }, problem: "" }),
      (error: unknown) =>
        here && setState({ drawn: null, problem: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      here = false;
    };
  }, [scene, theme, shape]);
  const url = state.drawn?.url;
  useEffect(
    () => () => {
      if (url) URL.revokeObjectURL(url);
    },
    [url],
  );
  return state;
}

/** Browsers copy pictures only from pages that came over HTTPS, or from this computer. */
const canCopy = typeof ClipboardItem === "function" && navigator.clipboard !== undefined;

async function copy(blob: Blob): Promise<void> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
    showToast("Picture copied.");
  } catch {
    showToast("Can’t copy. Allow clipboard access in your browser, or download the picture.", {
      tone: "bad",
    });
  }
}

export function PictureDialog({ scene, onClose }: { scene: Scene; onClose: () => void }) {
  const [theme, setTheme] = useState<PictureLook["theme"]>(
    document.documentElement.classList.contains("light") ? "light" : "dark",
  );
  const [shape, setShape] = useState<PictureLook["shape"]>(innerWidth < 640 ? "tall" : "wide");
  const { drawn, problem } = usePicture(scene, { theme, shape });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Save a picture"
      titled
      className="top-[5vh] flex max-h-[90vh] w-[min(860px,calc(100vw-24px))] flex-col"
    >
      <div className="flex flex-wrap gap-2 px-5 pt-3">
        <Segmented
          label="Shape"
          value={shape}
          onChange={setShape}
          options={[
            { value: "wide", label: "Wide" },
            { value: "tall", label: "Tall" },
          ]}
        />
        <Segmented
          label="Colors"
          value={theme}
          onChange={setTheme}
          options={[
            { value: "dark", label: "Dark" },
            { value: "light", label: "Light" },
          ]}
        />
      </div>
      <div
        tabIndex={0}
        role="group"
        aria-label="Preview"
        className="focus-inset mx-5 mt-3 min-h-40 flex-1 overflow-auto rounded-md border border-line bg-raised"
      >
        {drawn && <img src={drawn.url} alt={describe(scene)} className="mx-auto block max-w-full" />}
        {!drawn && !problem && <Skeleton className="m-4 h-72" />}
        <p role="alert" className="p-4 text-sm text-bad empty:hidden">
          {problem}
        </p>
      </div>
      <div className="flex flex-wrap items-center justify-end gap-2 px-5 pt-3 pb-5">
        <p className="mr-auto text-xs text-ink-3">Drawn in your browser. Nothing is uploaded.</p>
        {canCopy && (
          <Button disabled={!drawn} onClick={() => drawn && copy(drawn.blob)}>
            <Copy aria-hidden="true" />
            Copy
          </Button>
        )}
        <Button
          variant="primary"
          disabled={!drawn}
          onClick={() => drawn && saveFile(fileName(scene), drawn.blob)}
        >
          <Download aria-hidden="true" />
          Download
        </Button>
      </div>
    </Dialog>
  );
}

const describe = ({ question, result, answers }: Scene) =>
  [question, result, ...answers.map(({ name, facts }) => [name, facts].filter(Boolean).join(", "))]
    .filter(Boolean)
    .join(". ");
