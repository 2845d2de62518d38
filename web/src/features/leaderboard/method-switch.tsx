/** How the score is made: three ways, each explained in a line. */

import { Link } from "@tanstack/react-router";
import { ChevronDown } from "lucide-react";
import type { Method } from "@/api/standings-types";
import { STRINGS } from "@/features/leaderboard/strings";
import { Button } from "@/ui/button";
import { Menu, MenuChoice, MenuChoices, MenuContent, MenuItem, MenuTrigger } from "@/ui/menu";

export const METHODS: { id: Method; title: string; text: string }[] = [
  {
    id: "bradley-terry",
    title: STRINGS.bradleyTerry,
    text: STRINGS.bradleyTerryHint,
  },
  {
    id: "style-control",
    title: STRINGS.styleControl,
    text: STRINGS.styleControlHint,
  },
  { id: "elo", title: STRINGS.elo, text: STRINGS.eloHint },
];

export const methodTitle = (method: Method) => METHODS.find((each) => each.id === method)?.title ?? method;

export function MethodSwitch({ value, onChange }: { value: Method; onChange: (method: Method) => void }) {
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button aria-label={STRINGS.scoreMethod(methodTitle(value))}>
          {methodTitle(value)}
          <ChevronDown aria-hidden="true" className="-mr-1 text-ink-3" />
        </Button>
      </MenuTrigger>
      <MenuContent align="end" className="w-72">
        <MenuChoices value={value} onValueChange={(next) => onChange(next as Method)}>
          {METHODS.map((method) => (
            <MenuChoice key={method.id} value={method.id}>
              <span>
                <span className="block font-medium text-ink">{method.title}</span>
                <span className="block text-xs text-ink-3">{method.text}</span>
              </span>
            </MenuChoice>
          ))}
        </MenuChoices>
        <MenuItem asChild className="mt-1 border-t border-line text-xs">
          <Link to="/leaderboard/method">{STRINGS.howTheLeaderboardWorks}</Link>
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
