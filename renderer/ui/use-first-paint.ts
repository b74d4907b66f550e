// Renderer: whether this window has painted a page; code that is not needed for it waits.
import { useEffect, useState } from 'react';

/** Frames until a paint is surely shown: its own, and the next one. */
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
        // A task of its own, or the work would be part of the frame that it waits for.
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
