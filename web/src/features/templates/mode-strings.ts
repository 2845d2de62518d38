/** The text that the first page needs; the others load with the list. */
export const TEMPLATES = "Prompt templates";
