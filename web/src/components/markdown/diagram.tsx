/** A Mermaid diagram, drawn as a picture; its source stays in reach and stands in while it is written. */

import { useEffect, useState } from "react";
import type { Picture } from "@/components/drawing-frame";
import { CodeBlock } from "@/components/markdown/code-block";
import { drawDiagram } from "@/components/markdown/draw-diagram";
import { useIsLight } from "@/lib/use-is-light";
import { Button } from "@/ui/button";

export function Diagram({ source, unfinished }: { source: string; unfinished: boolean }) {
  const picture = usePicture(source, unfinished);
  const [asSource, setAsSource] = useState(false);
  if (!picture || asSource) {
    return (
      <>
        <CodeBlock code={source} language="mermaid" unfinished={unfinished} />
        {picture && (
          <Button size="sm" variant="quiet" className="mb-3" onClick={() => setAsSource(false)}>
            Show diagram
          </Button>
        )}
      </>
    );
  }
  return (
    <figure className="diagram rounded-md border border-line bg-page p-3">
      <img
        src={picture.url}
        alt="Diagram. Use the button below to show its source."
        width={picture.width}
        className="mx-auto max-w-full"
      />
      <figcaption className="mt-2 text-right">
        <Button size="sm" variant="quiet" onClick={() => setAsSource(true)}>
          Show source
        </Button>
      </figcaption>
    </figure>
  );
}

function usePicture(source: string, unfinished: boolean): Picture | null {
  const [picture, setPicture] = useState<Picture | null>(null);
  const light = useIsLight();
  useEffect(() => {
    if (unfinished) return;
    let here = true;
    drawDiagram(source, light).then(
      (drawn) => here && setPicture(drawn),
      () => here && setPicture(null),
    );
    return () => {
      here = false;
    };
  }, [source, unfinished, light]);
  return picture;
}
