import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { modelsQuery } from "@/api/queries";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { IconButton } from "@/ui/icon-button";
import { Select } from "@/ui/select";

/** A name in the file, and the id of the own model that it means; empty as long as it means none. */
export interface NamedModel {
  name: string;
  model: string;
  /** The file has the name; else a person wrote it. */
  given?: boolean;
}

export const isComplete = ({ name, model }: NamedModel) => name.trim() !== "" && model !== "";

export interface Named {
  id: string;
  name: string;
}

interface PriorNamesProps {
  names: readonly NamedModel[];
  /** The models that the table ranks. */
  ranked: readonly Named[];
  onChange: (names: readonly NamedModel[]) => void;
}

/** What names in the file mean, where they are not those of the models here. */
export function PriorNames({ names, ranked, onChange }: PriorNamesProps) {
  const { data: models = [] } = useQuery(modelsQuery);
  const labels = new Map([...ranked, ...models].map(({ id, name }) => [id, name]));
  const options = [
    { value: "", label: "None of your models" },
    ...[...labels]
      .map(([value, label]) => ({ value, label }))
      .sort((one, other) => one.label.localeCompare(other.label)),
  ];
  const change = (at: number, part: Partial<NamedModel>) =>
    onChange(names.map((each, place) => (place === at ? { ...each, ...part } : each)));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">Names that differ from yours</legend>
      {names.map((each, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a name is edited in its place
        <div key={at} className="flex items-center gap-2">
          {each.given ? (
            <span className="min-w-0 flex-1 text-sm [overflow-wrap:anywhere]">{each.name}</span>
          ) : (
            <Field
              aria-label="Name in the file"
              placeholder="Name in the file"
              className="min-w-0 flex-1"
              value={each.name}
              onChange={({ target }) => change(at, { name: target.value })}
            />
          )}
          <Select
            aria-label={`Model for ${each.name || "Name in the file"}`}
            className="w-1/2"
            options={options}
            value={each.model}
            onChange={(model) => change(at, { model })}
          />
          {!each.given && (
            <IconButton
              size="icon-sm"
              label="Remove this name"
              onClick={() => onChange(names.filter((_, place) => place !== at))}
            >
              <X />
            </IconButton>
          )}
        </div>
      ))}
      <Button
        size="sm"
        variant="quiet"
        className="self-start"
        onClick={() => onChange([...names, { name: "", model: "" }])}
      >
        <Plus aria-hidden="true" />
        Add a name
      </Button>
    </fieldset>
  );
}
