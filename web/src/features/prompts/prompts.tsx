/** Prompts in the composer: a chip that opens them, and a list under a slash. What they open loads then. */

import { SquareSlash } from "lucide-react";
import { Chip, chosenPart } from "@/components/chip";
import { lazyExtra } from "@/components/lazy-part";

const load = () => import("@/features/prompts/prompts-chunk");
const Menu = chosenPart(() => load().then(({ PARTS }) => PARTS.Menu));

export const PromptList = lazyExtra(() => load().then(({ PARTS }) => PARTS.List));

interface PromptChipProps {
  draft: string;
  onChoose: (text: string) => void;
}

export function PromptChip({ draft, onChoose }: PromptChipProps) {
  return (
    <Chip quiet label="Prompts" title="Prompts" face={<SquareSlash aria-hidden="true" />}>
      {(close) => (
        <Menu
          draft={draft}
          onChoose={(text) => {
            close();
            onChoose(text);
          }}
        />
      )}
    </Chip>
  );
}
