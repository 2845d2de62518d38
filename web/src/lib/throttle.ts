/** The first call acts at once; those that follow within a while act together at its end. */
export function throttle(act: () => void, whileMs: number): { soon: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again = false;
  const rest = () => {
    timer = setTimeout(() => {
      timer = undefined;
      if (!again) return;
      again = false;
      act();
      rest();
    }, whileMs);
  };
  return {
    soon: () => {
      if (timer !== undefined) {
        again = true;
        return;
      }
      act();
      rest();
    },
    stop: () => clearTimeout(timer),
  };
}
