// Main, Electron shell, pure: the position of a new window, reachable on the present screens.
import { z } from 'zod';

const edge = z.number().int().min(-100_000).max(100_000);
const length = z.number().int().min(1).max(100_000);
export const BoundsSchema = z.strictObject({ x: edge, y: edge, width: length, height: length });
export type Bounds = z.infer<typeof BoundsSchema>;

/** The smallest usable window. */
export const MIN_SIZE = { width: 480, height: 400 } as const;
/** The size that the pages are designed for. */
const DEFAULT_SIZE = { width: 1440, height: 900 } as const;
/** Part of the title bar that must be on a screen, so that the mouse can grab it. */
const GRAB_AREA = { width: 120, height: 32 } as const;
/** Offset of a window from another at the same position. */
const CASCADE_OFFSET = 28;

/**
 * @param areas work area of each present screen, the main one first; never empty
 * @param before former position of the window; null: it is new
 * @param taken positions of the other windows
 */
export function fitBounds(
  areas: readonly [Bounds, ...Bounds[]],
  before: Bounds | null,
  taken: readonly Bounds[],
): Bounds {
  const [main] = areas;
  const size = before ?? DEFAULT_SIZE;
  const home = before === null ? main : (areas.find((one) => isReachable(before, one)) ?? null);
  // Without its screen, the window opens in the middle of the main one, in the same size.
  const area = home ?? main;
  const width = Math.max(Math.min(size.width, area.width), Math.min(MIN_SIZE.width, area.width));
  const height = Math.max(Math.min(size.height, area.height), Math.min(MIN_SIZE.height, area.height));
  const position =
    before === null || home === null
      ? { x: area.x + Math.floor((area.width - width) / 2), y: area.y + Math.floor((area.height - height) / 2) }
      : { x: before.x, y: before.y };
  return avoidOverlap({ ...inside({ ...position, width, height }, area) }, area, taken);
}

/** True where enough of the title bar is on the area to be seen and grabbed. */
function isReachable(window: Bounds, area: Bounds): boolean {
  const right = Math.min(window.x + window.width, area.x + area.width);
  const left = Math.max(window.x, area.x);
  return (
    right - left >= Math.min(GRAB_AREA.width, window.width) &&
    window.y >= area.y &&
    window.y + GRAB_AREA.height <= area.y + area.height
  );
}

/** Moves the window, which is no larger than the area, as little as possible into it. */
const inside = (window: Bounds, area: Bounds): Bounds => ({
  ...window,
  x: Math.max(area.x, Math.min(window.x, area.x + area.width - window.width)),
  y: Math.max(area.y, Math.min(window.y, area.y + area.height - window.height)),
});

/** Moves a window that would cover another one exactly. */
function avoidOverlap(window: Bounds, area: Bounds, taken: readonly Bounds[]): Bounds {
  let { x, y } = window;
  for (let tries = 0; tries < taken.length && taken.some((other) => other.x === x && other.y === y); tries++) {
    x = x + CASCADE_OFFSET + MIN_SIZE.width > area.x + area.width ? area.x : x + CASCADE_OFFSET;
    y = y + CASCADE_OFFSET + MIN_SIZE.height > area.y + area.height ? area.y : y + CASCADE_OFFSET;
  }
  return { ...window, x, y };
}
