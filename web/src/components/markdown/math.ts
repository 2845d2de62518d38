/** KaTeX with its styles and fonts; a chunk of its own. */
import "katex/dist/katex.min.css";
import { createMathPlugin } from "@streamdown/math";

export const math = createMathPlugin({ errorColor: "var(--bad)" });
