// Pure: an expensive read whose answer is good for a while.
import type { Clock } from './clock.ts';

/**
 * @param goodForMs how long an answer is given again; a clock that was set back does not make it longer
 * @returns the reader; concurrent calls share one read. A read that fails is repeated by the next call.
 */
export function cachedRead<Value>(
  clock: Pick<Clock, 'now'>,
  goodForMs: number,
  read: () => Promise<Value>,
): () => Promise<Value> {
  let cached: { readonly value: Value; readonly at: number } | null = null;
  let pending: Promise<Value> | null = null;
  const refresh = async (): Promise<Value> => {
    const value = await read();
    cached = { value, at: clock.now() };
    return value;
  };
  return async () => {
    if (cached !== null && Math.abs(clock.now() - cached.at) < goodForMs) return cached.value;
    pending ??= refresh().finally(() => {
      pending = null;
    });
    return pending;
  };
}
