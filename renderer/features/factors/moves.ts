// Renderer, pure: compares the powers now and then, ranked by their share of the risk.
import type { FactorPoint, FactorSheet } from '../../../shared/channels/queries.ts';
import type { FactorCode } from '../../../shared/domain/factors.ts';

export interface FactorMove {
  /** null: a dimension besides the twelve, of which no earlier power is recorded. */
  readonly code: FactorCode | null;
  readonly name: string;
  /** 0..1. */
  readonly now: number | null;
  /** -1..1: now minus then; null where either has no value. */
  readonly moved: number | null;
  /** Signed share of the risk score. */
  readonly share: number | null;
}

/** A move this large is shown in bold (design notes, "radar"). */
export const NOTABLE = 0.2;
/** Smaller moves are not mentioned. */
const SLIGHT = 0.05;

/** @param then the powers to compare with; null: none recorded */
export function movesOf(sheet: FactorSheet, then: FactorPoint['powers'] | null): FactorMove[] {
  return sheet.factors
    .map(({ code, name, power, contribution }) => {
      const before = code === null || then === null ? null : then[code];
      return {
        code,
        name,
        now: power,
        moved: power === null || before === null ? null : power - before,
        share: contribution,
      };
    })
    .sort((a, b) => weight(b.share) - weight(a.share) || weight(b.moved) - weight(a.moved));
}

const weight = (value: number | null): number => (value === null ? -1 : Math.abs(value));

/** The last powers recorded at or before a time, ms; null when the record begins later. */
export function powersAt(points: readonly FactorPoint[], ms: number): FactorPoint | null {
  return points.findLast((point) => Date.parse(point.at) <= ms) ?? null;
}

export interface MovesSummary {
  /** Names in lower case, largest move first, at most two each. */
  readonly rose: readonly string[];
  readonly fell: readonly string[];
  /** The dimensions with the largest shares of the score, at most three, and their total share, 0..1. */
  readonly carry: readonly string[];
  readonly carriedShare: number;
}

/** The moves that the sentence names. */
export function summaryOf(moves: readonly FactorMove[]): MovesSummary {
  const named = (chosen: readonly FactorMove[]): string[] => chosen.map((move) => move.name.toLowerCase());
  const byMove = moves
    .filter((move) => Math.abs(move.moved ?? 0) >= SLIGHT)
    .sort((a, b) => weight(b.moved) - weight(a.moved));
  // For a missing value the model uses the usual one: such a dimension has a share, but is not named.
  const carrying = moves
    .filter((move) => (move.share ?? 0) > 0 && (move.code === null || move.now !== null))
    .slice(0, 3);
  return {
    rose: named(byMove.filter((move) => (move.moved ?? 0) > 0).slice(0, 2)),
    fell: named(byMove.filter((move) => (move.moved ?? 0) < 0).slice(0, 2)),
    carry: named(carrying),
    // Adds whole percents, as the table shows them: a reader can add them up.
    carriedShare: carrying.reduce((sum, move) => sum + Math.round((move.share ?? 0) * 100), 0) / 100,
  };
}

/** The last point of each month, newest first, including the forming month's. */
export function monthEnds(points: readonly FactorPoint[]): FactorPoint[] {
  const byMonth = new Map(points.map((point) => [point.at.slice(0, 7), point]));
  return [...byMonth.values()].reverse();
}
