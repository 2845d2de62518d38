/** Begins a check with one of a plug-in. Its settings are copied, so that runs stay what they were. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { plugInsQuery, working } from "@/api/plug-ins";
import type { Check } from "@/features/lab/lab-api";
import { Labelled } from "@/ui/labelled";
import { Select } from "@/ui/select";

export function FromPlugIn({ onChoose }: { onChoose: (check: Check) => void }) {
  const { data } = useQuery(plugInsQuery);
  const [chosen, setChosen] = useState("");
  const checks = working<Check>(data, "check");
  if (checks.length === 0) return null;
  return (
    <Labelled label="Begin with a plug-in">
      {(id) => (
        <Select
          id={id}
          value={chosen}
          options={[
            { value: "", label: "None" },
            ...checks.map((each) => ({ value: each.id, label: each.title })),
          ]}
          onChange={(next) => {
            setChosen(next);
            const check = checks.find((each) => each.id === next);
            if (check) onChoose({ label: check.title, ...check.content });
          }}
        />
      )}
    </Labelled>
  );
}
