/** A clock that plays, pauses, jumps and runs faster. */
import { useCallback, useEffect, useRef, useState } from "react";

export interface Player {
  /** Milliseconds into the reel. */
  at: number;
  playing: boolean;
  speed: number;
  toggle: () => void;
  seek: (at: number) => void;
  setSpeed: (speed: number) => void;
}

export function usePlayer(duration: number, autoplay: boolean): Player {
  const [at, setAt] = useState(0);
  const [playing, setPlaying] = useState(autoplay);
  const [speed, setSpeed] = useState(1);
  const place = useRef(0);
  const running = playing && duration > 0;
  useEffect(() => {
    if (!running) return;
    let before = performance.now();
    let frame = requestAnimationFrame(function step(now: number) {
      place.current = Math.min(duration, place.current + Math.max(0, now - before) * speed);
      before = now;
      setAt(place.current);
      if (place.current >= duration) setPlaying(false);
      else frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [running, speed, duration]);
  const seek = useCallback(
    (next: number) => {
      place.current = Math.min(duration, Math.max(0, next));
      setAt(place.current);
    },
    [duration],
  );
  const toggle = useCallback(() => {
    // At the end, playing means once more.
    if (place.current >= duration) {
      place.current = 0;
      setAt(0);
    }
    setPlaying((now) => !now);
  }, [duration]);
  return { at, playing, speed, toggle, seek, setSpeed };
}
