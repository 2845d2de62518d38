/** Stands where a part with a field loads: what is typed meanwhile is for that field. */

import { useEffect } from "react";
import { takeTyped } from "@/lib/type-ahead";
import { Skeleton } from "@/ui/skeleton";

export function AwaitedField() {
  // What no field has taken is for nobody.
  useEffect(() => () => void takeTyped(), []);
  return (
    <div data-awaits-field>
      <Skeleton className="m-3 h-40" />
    </div>
  );
}
