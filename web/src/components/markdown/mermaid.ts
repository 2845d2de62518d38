/** Mermaid, a chunk of its own. The drawing becomes an image, so nothing in it can run or load. */
import mermaid from "mermaid";

let count = 0;

export async function drawDiagram(source: string, light: boolean) {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    theme: light ? "neutral" : "dark",
    fontFamily: "system-ui, sans-serif",
    htmlLabels: false,
    suppressErrorRendering: true,
  });
  count += 1;
  const { svg } = await mermaid.render(`diagram-${count}`, source);
  const width = /viewBox="[-\d.]+ [-\d.]+ ([\d.]+) /.exec(svg)?.[1];
  return {
    url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`,
    width: width ? Math.ceil(Number(width)) : undefined,
  };
}
