// Renderer: whether this window has shown its first drawing of a page: what is not needed for that waits for it.
import { useEffect, useState } from 'react';

/** Frames until a drawing is surely shown: the one that shows it, and the one after. */
const FRAMES = 2;
let isShown = false;

export function useFirstPaint(): boolean {
  const [isPast, setPast] = useState(isShown);
  useEffect(() => {
    const go = (): void => {
      isShown = true;
      setPast(true);
    };
    // A hidden window makes no frames.
    if (isShown || document.hidden) return go();
    let timer = 0;
    let frame = 0;
    const count = (left: number): void => {
      frame = requestAnimationFrame(() => {
        if (left > 1) count(left - 1);
        // In a turn of its own, or it would be part of the frame that it waits for.
        else timer = window.setTimeout(go);
      });
    };
    count(FRAMES);
    return () => {
      cancelAnimationFrame(frame);
      window.clearTimeout(timer);
    };
  }, []);
  return isPast;
}
