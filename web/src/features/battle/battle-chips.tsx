import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Shuffle } from "lucide-react";
import { modelsQuery } from "@/api/queries";
import { battlePool } from "@/features/battle/plan";
import { Button } from "@/ui/button";
import { Tooltip } from "@/ui/tooltip";

/** From how many models the two are drawn. */
export function BattleChips() {
  const { data: models } = useQuery(modelsQuery);
  const pool = models && battlePool(models).length;
  if (pool === undefined) return null;
  return (
    <Tooltip side="top" label="Two of these are drawn by chance, each pair equally often">
      <Button asChild variant="chip" size="sm">
        <Link to="/models">
          <Shuffle aria-hidden="true" />
          <span className="num">
            Pool: {pool} {pool === 1 ? "model" : "models"}
          </span>
        </Link>
      </Button>
    </Tooltip>
  );
}
