import { Link } from "@tanstack/react-router";
import { useMayManage } from "@/api/permissions";
import { Button } from "@/ui/button";

/** Leads to the state of the providers, for those who may see it. */
export function HealthLink() {
  const mayManage = useMayManage();
  if (!mayManage) return null;
  return (
    <Button asChild variant="quiet">
      <Link to="/models" hash="health">
        See provider health
      </Link>
    </Button>
  );
}
