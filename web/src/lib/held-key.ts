/** A key that is either a command or the first character of a text: which of them, the next key tells. */

/** People who write press their next key sooner. */
export const HELD_MS = 400;

export interface HeldKey {
  /** Hold a key: `act` is called once it was the only one. */
  press: (key: string, act: () => void) => void;
  /** Give up the held key as text; undefined where none is held. */
  takeText: () => string | undefined;
  /** Forget it. */
  drop: () => void;
}

export function createHeldKey(onChange: (held: boolean) => void): HeldKey {
  let held: { key: string; timer: ReturnType<typeof setTimeout> } | null = null;
  const end = () => {
    if (!held) return undefined;
    clearTimeout(held.timer);
    const { key } = held;
    held = null;
    onChange(false);
    return key;
  };
  return {
    press: (key, act) => {
      end();
      const timer = setTimeout(() => {
        end();
        act();
      }, HELD_MS);
      held = { key, timer };
      onChange(true);
    },
    takeText: end,
    drop: () => void end(),
  };
}
