import { Link } from "@tanstack/react-router";
import { STRINGS } from "@/components/strings";
import { Button } from "@/ui/button";

/** Leads to the state of the providers. */
export function HealthLink() {
  return (
    <Button asChild variant="quiet">
      <Link to="/models" hash="health">
        {STRINGS.providerHealth}
      </Link>
    </Button>
  );
}
