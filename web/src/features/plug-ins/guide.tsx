/** The guide to plug-ins, as it stands in the documentation. */
import guide from "@guides/plug-ins.md?raw";
import { Markdown } from "@/components/markdown/markdown";

/** Links to other pages of the documentation lead nowhere here, and its title is the dialog's. */
const text = guide
  .replace(/^# .*\n+/, "")
  .replace(/^#(#+) /gm, "$1 ")
  .replace(/\[([^\]]+)\]\((?!https:)[^)]+\)/g, "$1");

export const Guide = () => (
  <div className="px-5 pt-2 pb-5">
    <Markdown text={text} />
  </div>
);
