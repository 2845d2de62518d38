import { TEMPLATES } from "@/features/templates/mode-strings";

/** Every text of this folder that stands alone, so that a translation has one place to go. */
type Shown = string | number;

export const STRINGS = {
  templates: TEMPLATES,
  none: "No templates yet. Save a prompt that you use often, then type / in the composer to insert it.",
  hint: "Type / in an empty composer to insert one. {{words}} in braces are places to fill in.",
  newTemplate: "New template",
  saveDraft: "Save this prompt as a template",
  name: "Name",
  prompt: "Prompt",
  save: "Save",
  cancel: "Cancel",
  undo: "Undo",
  saved: (name: Shown) => `Template “${name}” saved.`,
  deleted: (name: Shown) => `Template “${name}” deleted.`,
  insert: (name: Shown) => `Insert “${name}”`,
  edit: (name: Shown) => `Edit “${name}”`,
  remove: (name: Shown) => `Delete “${name}”`,
  found: (count: Shown, name: Shown) => `${count} templates. ${name}. Press Enter to insert.`,
} as const;
