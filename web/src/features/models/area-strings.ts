/** The texts of the area's entry in the sidebar. */
export const AREA_STRINGS = { models: "Models" } as const;
