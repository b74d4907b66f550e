// Pure: waiting that a signal ends.

/** What is needed of an AbortSignal; here neither Node nor a browser is known. */
interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options: { once: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * What the work comes to, or as soon as the signal fires its reason: for work that may not give up by itself. Whatever becomes of the work later
 * is nobody's, and never an unhandled rejection, which would end the program.
 */
export function untilAborted<Value>(work: Promise<Value>, signal: Signal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const give = (): void => reject(signal.reason);
    if (signal.aborted) give();
    signal.addEventListener('abort', give, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  });
}
