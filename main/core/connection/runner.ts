// Main, core: runs one job at a time.

export interface Runner<Input, Value> {
  /** A call during a run adds one run after it, which sees what came meanwhile. */
  run(input: Input): Promise<Value>;
  /** Resolves when no run is active. */
  idle(): Promise<void>;
}

export function createRunner<Input, Value>(job: (input: Input) => Promise<Value>): Runner<Input, Value> {
  let current: Promise<Value> | null = null;
  let following: Promise<Value> | null = null;
  const begin = (input: Input): Promise<Value> => {
    current = job(input).finally(() => {
      current = null;
    });
    return current;
  };
  return {
    run(input) {
      if (current === null) return begin(input);
      // A run that failed has told its own caller.
      following ??= current
        .catch(() => undefined)
        .then(() => {
          following = null;
          return begin(input);
        });
      return following;
    },
    async idle() {
      while (current !== null) await current.catch(() => undefined);
    },
  };
}
