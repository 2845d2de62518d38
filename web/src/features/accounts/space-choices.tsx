/** The workspaces to act in, in the account's menu. */
import { useQuery } from "@tanstack/react-query";
import { workspacesQuery } from "@/api/me";
import { currentSpace, enterSpace } from "@/lib/space";
import { MenuChoice, MenuChoices, MenuLabel, MenuSeparator } from "@/ui/menu";

const OWN = "own";

export function SpaceChoices() {
  const { data } = useQuery(workspacesQuery);
  if (!data || data.length === 0) return null;
  return (
    <>
      <MenuLabel>Workspace</MenuLabel>
      <MenuChoices
        value={currentSpace() ?? OWN}
        onValueChange={(next) => enterSpace(next === OWN ? null : next)}
      >
        <MenuChoice value={OWN}>My own space</MenuChoice>
        {data.map(({ id, name }) => (
          <MenuChoice key={id} value={id}>
            <span className="truncate">{name}</span>
          </MenuChoice>
        ))}
      </MenuChoices>
      <MenuSeparator />
    </>
  );
}
