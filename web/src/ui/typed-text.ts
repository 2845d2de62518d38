/** Remembers what the fields of a dialog held at first, to know if closing it would lose typed text. */

export interface TextField {
  type: string;
  value: string;
}

const OTHER_TYPES = new Set([
  ...[
    "button",
    "checkbox",
    "color",
    "file",
    "hidden",
    "image",
    "radio",
    "range",
    "reset",
    "search",
    "submit",
  ],
]);

/** The fields of one dialog. A search is no text that anybody would miss, nor is a choice. */
export class TypedText {
  private readonly first = new Map<TextField, string>();

  /** Remember what a field holds before it is typed into. */
  begin(field: TextField): void {
    if (!this.first.has(field)) this.first.set(field, field.value);
  }

  /** Whether one of these fields, which are on the page, holds text that was typed. */
  isIn(fields: Iterable<TextField>): boolean {
    for (const field of fields) {
      const first = this.first.get(field);
      const typed = first !== undefined && field.value !== first && field.value.trim() !== "";
      if (typed && !OTHER_TYPES.has(field.type)) return true;
    }
    return false;
  }
}

export const isTextField = (target: unknown): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
