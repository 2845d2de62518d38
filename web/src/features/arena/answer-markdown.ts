/** An answer as Markdown, to be copied. Pure. */

import { readArbiterText, readMemberText } from "@/lib/read-tags";

/** One answer under its question. */
export function answerMarkdown(question: string, name: string, text: string): string {
  const quoted = question && `${quote(question)}\n\n`;
  return `${quoted}**${name}**\n\n${plainText(text)}\n`;
}

/** An answer without the tags that a consortium asks its models for; one without tags stays as it is. */
function plainText(text: string): string {
  if (/<synthesis>/i.test(text)) {
    const { synthesis, analysis, dissent } = readArbiterText(text, false);
    const rest = [
      ["Analysis", analysis],
      ["Minority report", dissent],
    ];
    return [synthesis, ...rest.flatMap(([title, part]) => (part ? [`**${title}**`, part] : []))].join("\n\n");
  }
  if (!/<(answer|updated_response)>/i.test(text)) return text.trim();
  const { answer, confidence } = readMemberText(text, false);
  if (confidence === null) return answer;
  return `${answer}\n\n*confidence ${confidence.toFixed(2)}*`;
}

const quote = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
