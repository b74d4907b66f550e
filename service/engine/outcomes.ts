// Service, engine: determines whether the warned event followed a bar, once its horizon has closed.
import type { Claim } from '../../shared/domain/claims.ts';
import { RingBuffer, type RingState } from './ring-buffer.ts';
import { type Drawdown, HORIZON } from './threshold.ts';

/** Breaches at most this many bars apart belong to one event. */
export const MERGE = 21;
/** Minimum share of the threshold that must lie ahead of a warning for it to count. */
export const REMAINING_LOSS_SHARE = 0.5;

/** The outcome of the bar 21 bars earlier. */
export interface Outcome {
  /** Whether it was a good bar of an event; null within an event, where a warning comes too late. */
  readonly event: boolean | null;
  /** Whether the price then fell by half a threshold within the horizon. */
  readonly fell: boolean;
  /** What the bar claimed, as given to `commit`. */
  readonly claimed: Claim | null;
}

/** Codes of claims in a ring; 0: none. */
const CLAIM_CODES = { event: 1, further_fall: 2 } as const satisfies Record<Claim, number>;
const claimOf = (code: number): Claim | null => (code === 1 ? 'event' : code === 2 ? 'further_fall' : null);

/** Numbers of sessions since the first, which is 0. */
interface OutcomeMemory {
  t: number;
  lastBreach: number;
  firstBreach: number;
  /** Threshold at the peak before the latest event. */
  onsetThreshold: number;
}

export interface OutcomeState {
  readonly memory: Readonly<OutcomeMemory>;
  readonly rings: readonly RingState[];
}

export class OutcomeTrack {
  readonly #closes = new RingBuffer(HORIZON + 1);
  /** 1 for a bar between the first and the last breach of an event, otherwise 0. */
  readonly #under = new RingBuffer(HORIZON + MERGE + 1);
  readonly #thresholds = new RingBuffer(HORIZON + 1);
  readonly #claims = new RingBuffer(HORIZON + 1);
  readonly #rings = [this.#closes, this.#under, this.#thresholds, this.#claims];
  #memory: OutcomeMemory = {
    t: -1,
    lastBreach: Number.NEGATIVE_INFINITY,
    firstBreach: Number.NEGATIVE_INFINITY,
    onsetThreshold: Number.POSITIVE_INFINITY,
  };

  save(): OutcomeState {
    return { memory: { ...this.#memory }, rings: this.#rings.map((ring) => ring.save()) };
  }

  /** Continues a new track from what another saved. */
  restore({ memory, rings }: OutcomeState): void {
    this.#memory = { ...memory };
    for (const [index, ring] of this.#rings.entries()) ring.restore(rings[index] as RingState);
  }

  /**
   * Adds a closed bar.
   * @param missing sessions before it without a bar
   * @param claimed what the bar claimed; null: nothing
   * @returns the outcomes of the bars whose next 21 sessions ended with it, oldest first
   */
  commit(close: number, drawdown: Drawdown, missing = 0, claimed: Claim | null = null): Outcome[] {
    const outcomes: Outcome[] = [];
    const empty = Math.min(missing, HORIZON + MERGE + 1);
    for (let session = 0; session < empty; session++) this.#advance(Number.NaN, Number.NaN, null, 0, outcomes);
    // Further sessions of a longer hole are beyond every span, and all bars before it have their outcomes.
    this.#memory.t += missing - empty;
    this.#advance(close, drawdown.threshold, drawdown, claimed === null ? 0 : CLAIM_CODES[claimed], outcomes);
    return outcomes;
  }

  /** Adds a session, with NaN where it has no bar. */
  #advance(close: number, threshold: number, drawdown: Drawdown | null, claim: number, outcomes: Outcome[]): void {
    this.#memory.t += 1;
    this.#closes.push(close);
    this.#under.push(0);
    this.#thresholds.push(threshold);
    this.#claims.push(claim);
    if (drawdown !== null && this.#memory.t >= 1 && close / drawdown.peak - 1 <= -drawdown.peakThreshold)
      this.#breach(drawdown);
    // Infinite while warming up, NaN without a bar.
    if (this.#memory.t >= HORIZON && Number.isFinite(this.#thresholds.back(HORIZON)))
      outcomes.push(this.#classify(this.#memory.t - HORIZON));
  }

  #breach(drawdown: Drawdown): void {
    const since = this.#memory.t - this.#memory.lastBreach;
    if (since <= MERGE) {
      for (let k = 0; k < since; k++) this.#under.set(k, 1);
    } else {
      this.#memory.firstBreach = this.#memory.t;
      this.#memory.onsetThreshold = drawdown.peakThreshold;
      this.#under.set(0, 1);
    }
    this.#memory.lastBreach = this.#memory.t;
  }

  #classify(bar: number): Outcome {
    let lowest = Number.POSITIVE_INFINITY;
    for (let k = 0; k < HORIZON; k++) {
      const close = this.#closes.back(k);
      if (close < lowest) lowest = close;
    }
    const loss = lowest / this.#closes.back(HORIZON) - 1;
    const isGood = this.#memory.firstBreach > bar && loss <= -REMAINING_LOSS_SHARE * this.#memory.onsetThreshold;
    return {
      event: !isGood && this.#under.back(HORIZON) === 1 ? null : isGood,
      fell: loss <= -REMAINING_LOSS_SHARE * this.#thresholds.back(HORIZON),
      claimed: claimOf(this.#claims.back(HORIZON)),
    };
  }
}
