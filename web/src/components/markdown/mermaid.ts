/** Mermaid, a chunk of its own. The drawing becomes an image, so nothing in it can run or load. */
import mermaid from "mermaid";

let count = 0;

export async function drawDiagram(source: string, light: boolean) {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    theme: "base",
    look: "classic",
    themeVariables: colours(light),
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

/** The page's own colours; a picture cannot read the style sheet. */
function colours(light: boolean) {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    darkMode: !light,
    fontSize: "14px",
    background: token("page"),
    primaryColor: token("raised"),
    primaryTextColor: token("ink"),
    primaryBorderColor: token("ink-3"),
    secondaryColor: token("surface"),
    tertiaryColor: token("surface"),
    lineColor: token("ink-3"),
    textColor: token("ink"),
    edgeLabelBackground: token("page"),
    dropShadow: "none",
    useGradient: false,
  };
}
