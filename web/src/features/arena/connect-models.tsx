/** How to connect real models, with an example to copy. */

import { useQuery } from "@tanstack/react-query";
import { aboutQuery } from "@/api/queries";
import { CopyButton } from "@/components/copy-button";
import { ScrollText } from "@/components/scroll-text";
import { LAZY_STRINGS } from "@/features/arena/lazy-strings";
import { filled } from "@/lib/filled";

const EXAMPLE = `models:
  - {id: local-tiny, connector: openai, base_url: http://127.0.0.1:1234/v1, model: tiny}
`;

export function ConnectModels() {
  const { data: about } = useQuery(aboutQuery);
  const path = about?.config_path || "config/models.yaml";
  return (
    <div className="flex flex-col gap-2 text-sm text-ink-2">
      <p>{filled(LAZY_STRINGS.listModels, { file: <Path>{path}</Path> })}</p>
      <div className="relative rounded-md border border-line bg-page">
        <ScrollText
          label={LAZY_STRINGS.example}
          className="px-3.5 py-3 pr-11 font-mono text-xs leading-relaxed text-ink [&_pre]:font-[inherit]"
        >
          {EXAMPLE}
        </ScrollText>
        <span className="absolute top-1.5 right-1.5">
          <CopyButton text={EXAMPLE} label={LAZY_STRINGS.copyExample} />
        </span>
      </div>
      <p>{filled(LAZY_STRINGS.otherFile, { command: <Path>parley serve --models PATH</Path> })}</p>
    </div>
  );
}

function Path({ children }: { children: string }) {
  return (
    <code className="rounded-xs bg-raised px-1 py-px font-mono text-xs text-ink [overflow-wrap:anywhere]">
      {children}
    </code>
  );
}
