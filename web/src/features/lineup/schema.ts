/** What a mode's JSON Schema says of its settings, and what every field of theirs is given. */
export interface SchemaField {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  maxLength?: number;
  anyOf?: SchemaField[];
  allOf?: SchemaField[];
  $ref?: string;
}

interface Schema {
  properties?: Record<string, SchemaField>;
  $defs?: Record<string, SchemaField>;
}

/** The settings of a schema by name; what it only points to is put in place. */
export function fieldsOf(schema: unknown): Record<string, SchemaField> {
  const { properties = {}, $defs = {} } = schema as Schema;
  const whole = (field: SchemaField): SchemaField => {
    const [only] = field.allOf ?? [];
    const target = $defs[(field.$ref ?? only?.$ref)?.split("/").at(-1) ?? ""];
    return { ...target, ...field, ...(field.anyOf && { anyOf: field.anyOf.map(whole) }) };
  };
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, whole(field)]));
}

export interface FieldProps {
  name: string;
  field: SchemaField;
  value: unknown;
  onChange: (value: unknown) => void;
  /** Narrower limits than the schema's: those of another field. */
  least?: number;
  most?: number;
}

export const LABEL = "text-sm font-medium";
export const HELP = "text-xs text-ink-3";

export type InnerProps = FieldProps & { nullable: boolean };
