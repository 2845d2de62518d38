/** The palette's key pressed before the page listened, and what was typed after it; `public/theme.js` keeps them. */

/** Take over from there; return whether the key was pressed. */
export function takeOverKeys(): boolean {
  const { dataset } = document.documentElement;
  dataset.listening = "";
  return dataset.search !== undefined;
}

export const earlySearch = () => document.documentElement.dataset.search ?? "";

export const forgetEarlySearch = () => {
  delete document.documentElement.dataset.search;
};
