// Faults: chance under a seed: numbers, and the drawing of an action by its weight.

/** Weight, name, deed. */
export type Action = readonly [number, string, () => unknown];

export function drawFrom(actions: readonly Action[], lot: number): Action {
  let left = lot;
  for (const action of actions) {
    left -= action[0];
    if (left < 0) return action;
  }
  throw new Error('no action');
}

/** mulberry32: small, seeded, good enough to choose faults. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
