/** Prompt templates in the composer: a chip that keeps them, and a list under a slash. What they open loads then. */

import { SquareSlash } from "lucide-react";
import { Chip, chosenPart } from "@/components/chip";
import { lazyExtra } from "@/components/lazy-part";
import { TEMPLATES } from "@/features/templates/mode-strings";

const load = () => import("@/features/templates/parts");
const Menu = chosenPart(() => load().then(({ PARTS }) => PARTS.Menu));

export const TemplateList = lazyExtra(() => load().then(({ PARTS }) => PARTS.List));

interface TemplateChipProps {
  draft: string;
  onChoose: (text: string) => void;
}

export function TemplateChip({ draft, onChoose }: TemplateChipProps) {
  return (
    <Chip quiet label={TEMPLATES} title={TEMPLATES} face={<SquareSlash aria-hidden="true" />}>
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
