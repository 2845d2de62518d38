/** The texts of what loads with the first rendered reply. */
type Shown = string | number;

export const LAZY_STRINGS = {
  copyCode: "Copy code",
  code: "Code",
  codeIn: (language: Shown) => `Code, ${language}`,
  showDiagram: "Show diagram",
  showSource: "Show source",
  diagram: "Diagram. Use the button below to show its source.",
  diagrams: "Diagrams",
  image: "Image (not loaded)",
  imageOf: (description: Shown) => `Image: ${description} (not loaded)`,
  table: "Table",
  taskDone: "Done",
  taskOpen: "Open",
} as const;
