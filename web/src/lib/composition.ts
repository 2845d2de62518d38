/** Keys that belong to an input method, which composes Japanese, Chinese or Korean text. */

/** The key code of a key that an input method has taken. */
const TAKEN = 229;

/**
 * True for a key that an input method takes: Enter then commits what was composed. WebKit sends it after the
 * composition has ended, with nothing but the key code to tell.
 */
export const isComposing = (event: { isComposing: boolean; keyCode: number }): boolean =>
  event.isComposing || event.keyCode === TAKEN;
