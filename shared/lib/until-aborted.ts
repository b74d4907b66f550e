// Pure: waits for work until a signal fires.

/** The needed part of an AbortSignal; neither Node's nor a browser's types are available here. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options: { once: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A promise that never settles, new for each call: one for all would hold whatever ever waited for it. */
export const never = (): Promise<never> => new Promise(() => undefined);

/**
 * The result of the work, or the signal's reason as soon as it fires: for work that cannot be cancelled. The
 * later result is ignored; a rejection never becomes an unhandled one, which would end the program.
 */
export function untilAborted<Value>(work: Promise<Value>, signal: Signal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const give = (): void => reject(signal.reason);
    if (signal.aborted) give();
    signal.addEventListener('abort', give, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  });
}
