/** KaTeX's styles and fonts, loaded when the first formula is shown. */
import "katex/dist/katex.min.css";
