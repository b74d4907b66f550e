// Renderer, pure: compares the powers now with those of five sessions ago.
import type { FactorPoint, FactorSheet } from '../../../shared/channels/queries.ts';
import { FACTOR_CODES, type FactorCode } from '../../../shared/domain/factors.ts';
import { dayOf } from '../../charts/model.ts';

export interface FactorMove {
  /** null: a dimension besides the twelve, of which no earlier power is recorded. */
  readonly code: FactorCode | null;
  readonly name: string;
  /** 0..1. */
  readonly now: number | null;
  /** 0..1: the power compared with. */
  readonly before: number | null;
  /** -1..1: now minus before; null where either has no value. */
  readonly moved: number | null;
  /** Signed share of the risk score. */
  readonly share: number | null;
}

/** A move this large is shown in bold in the table (design notes, "radar"). */
export const NOTABLE = 0.2;
/** Smaller moves are not mentioned. */
const SLIGHT = 0.05;
const SESSIONS = 5;
const MENTIONED = 3;

/** Ranked by their share of the risk. @param before the powers to compare with; null: none recorded */
export function movesOf(sheet: FactorSheet, before: FactorPoint['powers'] | null): FactorMove[] {
  return sheet.factors
    .map(({ code, name, power, contribution }) => {
      const then = code === null ? null : (before?.[code] ?? null);
      const moved = power === null || then === null ? null : power - then;
      return { code, name, now: power, before: then, moved, share: contribution };
    })
    .sort((a, b) => weight(b.share) - weight(a.share) || weight(b.moved) - weight(a.moved));
}

const weight = (value: number | null): number => (value === null ? -1 : Math.abs(value));

/** The largest moves worth mentioning, largest first, three at most. */
export const movedMost = (moves: readonly FactorMove[]): FactorMove[] =>
  moves
    .filter(({ moved }) => weight(moved) >= SLIGHT)
    .sort((a, b) => weight(b.moved) - weight(a.moved))
    .slice(0, MENTIONED);

/** How many of the twelve cannot be compared, because one of the two powers has no value. */
export const notCompared = (moves: readonly FactorMove[]): number =>
  FACTOR_CODES.length - moves.filter(({ code, moved }) => code !== null && moved !== null).length;

/** What the powers now are compared with. */
export interface Base {
  /** The powers five sessions ago, or the first on record if that begins later. */
  readonly point: FactorPoint;
  readonly sessions: number;
  /** All powers recorded on days before that of the sheet. */
  readonly earlier: readonly FactorPoint[];
}

export function baseOf(sheet: FactorSheet, points: readonly FactorPoint[]): Base | null {
  const day = dayOf(Date.parse(sheet.at));
  const earlier = points.filter(({ at }) => dayOf(Date.parse(at)) < day);
  const [point] = earlier.slice(-SESSIONS);
  return point === undefined ? null : { point, sessions: Math.min(SESSIONS, earlier.length), earlier };
}

/** An extreme that was seen within so many sessions is none, about a month. */
const RECENT = 20;

/**
 * When a power that moved was last as low as now, or as high if it rose; 'never': not on record. null: so
 * lately that it is no extreme.
 */
export function lastAsExtreme({ code, now, moved }: FactorMove, { earlier }: Base): string | 'never' | null {
  if (code === null || now === null || moved === null) return null;
  const last = earlier.findLast(({ powers: { [code]: power } }) => {
    if (power === null) return false;
    return moved < 0 ? power <= now : power >= now;
  });
  if (earlier.length < RECENT || earlier.slice(-RECENT).some(({ at }) => at === last?.at)) return null;
  return last?.at ?? 'never';
}

/** The last point of each month, newest first, including the forming month's. */
export function monthEnds(points: readonly FactorPoint[]): FactorPoint[] {
  const byMonth = new Map(points.map((point) => [point.at.slice(0, 7), point]));
  return [...byMonth.values()].reverse();
}
