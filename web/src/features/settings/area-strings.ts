/** The texts of the area's entries in the account menu. */
export const AREA_STRINGS = { settings: "Settings", about: "About Parley" } as const;
