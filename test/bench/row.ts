// Bench: what a row is. One file a row in rows/; the runner gives each a process of its own.

/** What a ratio has to keep to; both ends count where both are given. */
export interface Goal {
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** One side of a comparison, as it was measured. */
export interface Side {
  readonly label: string;
  readonly unit: string;
  /** One value a round, in the order of the rounds. */
  readonly values: readonly number[];
}

export interface Outcome {
  /** null where there is nothing to compare with: the row reports. */
  readonly ratio: number | null;
  /** Lowest and highest ratio of a round. */
  readonly spread: readonly [number, number] | null;
  /** The product first, then its floor. */
  readonly sides: readonly Side[];
  /** What else was seen, a line each. */
  readonly notes: readonly string[];
}

export interface Context {
  /** A folder of this row, gone after it. */
  readonly folder: string;
  /** What is ended after the row, last one first, also when it fails. */
  defer(end: () => unknown): void;
}

export interface Row {
  readonly name: string;
  /** What of the product is measured. */
  readonly what: string;
  /** What it is measured against, and why that is fair. */
  readonly floor: string;
  /** null: the row reports and has no goal. */
  readonly goal: Goal | null;
  run(context: Context): Promise<Outcome>;
}

/** What became of a row: the form of a line of results.json. */
export interface RowResult {
  readonly name: string;
  readonly ratio: number | null;
  readonly goal: string | null;
  readonly pass: boolean | null;
  readonly what: string;
  readonly floor: string;
  readonly spread: readonly [number, number] | null;
  readonly sides: readonly SideSummary[];
  readonly notes: readonly string[];
  readonly seconds: number;
  /** Why there is no ratio although there should be one. */
  readonly failure: string | null;
}

export interface SideSummary {
  readonly label: string;
  readonly unit: string;
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly rounds: number;
}
