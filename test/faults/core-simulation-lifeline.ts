// Faults: kills the program of a simulated life at one of its port calls; a killed one never comes back.

/** The program was killed during its work. */
export class KilledError extends Error {}

/** The program between one start and the next. */
export interface Incarnation {
  isAlive(): boolean;
  /**
   * Every port call passes here.
   * @throws KilledError when this call kills the program, and when the program is dead already
   */
  call(): void;
}

export interface Lifeline {
  readonly kills: number;
  /** The one before is dead from now on. */
  begin(): Incarnation;
  end(): void;
  /** The n-th port call from now kills the program; Infinity: none. */
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

/** Runs a call into the core during which it may be killed. */
export function mortal(call: () => void): void {
  try {
    call();
  } catch (error) {
    if (!(error instanceof KilledError)) throw error;
  }
}
