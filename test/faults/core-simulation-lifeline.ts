// Faults: kills the simulated program at one of its port calls; a killed run does nothing more.

/** Thrown by a port call of a program that was killed. */
export class KilledError extends Error {}

/** One run of the program, from its start to its end. */
export interface Incarnation {
  isAlive(): boolean;
  /**
   * Counts a port call.
   * @throws KilledError when this call kills the program, or an earlier one did
   */
  call(): void;
}

export interface Lifeline {
  readonly kills: number;
  /** Starts a run, and kills the one before. */
  begin(): Incarnation;
  end(): void;
  /** Kills the program at its n-th port call from now; Infinity: at none. */
  killAfter(calls: number): void;
}

export function createLifeline(onKill: () => void): Lifeline {
  let current = 0;
  let callsLeft = Number.POSITIVE_INFINITY;
  let kills = 0;
  return {
    get kills() {
      return kills;
    },
    begin() {
      current += 1;
      const own = current;
      return {
        isAlive: () => own === current,
        call() {
          if (own !== current) throw new KilledError('dead');
          callsLeft -= 1;
          if (callsLeft > 0) return;
          callsLeft = Number.POSITIVE_INFINITY;
          current += 1;
          kills += 1;
          onKill();
          throw new KilledError('killed');
        },
      };
    },
    end() {
      current += 1;
    },
    killAfter(calls) {
      callsLeft = calls;
    },
  };
}

/** Calls the core; a kill during the call is no error. */
export function mortal(call: () => void): void {
  try {
    call();
  } catch (error) {
    if (!(error instanceof KilledError)) throw error;
  }
}
