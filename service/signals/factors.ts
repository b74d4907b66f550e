// Service, signals: the records of a symbol's twelve dimensions.
import { FACTOR_CODES, FACTOR_DIMENSIONS, type FactorCode, type Powers } from '../../shared/domain/factors.ts';
import type { Archetypes, DimensionRow, FactorPoint, Factors, NamedPowers } from '../../shared/wire/factors.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { exposuresOf } from '../engine/factors/exposures.ts';
import type { Reading } from '../engine/types.ts';
import { HISTORY_MS } from './regime-history.ts';
import type { StateDetector } from './state-detector.ts';
import { lastRow, type Track } from './track.ts';

/** The reference symbol of betas. */
const MARKET_PROXY = 'SPY';
/** Closes used for betas, with a margin for days that the two symbols do not share. */
const BETA_CLOSES = 300;

/** @returns null before the first close */
export function factorsOf(detector: StateDetector, track: Track, now: number): Factors | null {
  const present = presentOf(detector, track, now);
  if (present === null) return null;
  const { reading, at } = present;
  return {
    symbol: track.instrument.symbol,
    timestamp: timestamp(at),
    state: track.current?.state ?? reading.state,
    factors: dimensionsOf(reading.powers).map((row) => ({
      ...row,
      contribution: decimals(reading.contributions[row.code]),
    })),
    exposures: exposures(track, detector.tracks.get(MARKET_PROXY)),
  };
}

/** @returns null before the first close */
export function archetypesOf(detector: StateDetector, track: Track, now: number): Archetypes | null {
  const present = presentOf(detector, track, now);
  if (present === null) return null;
  const { powers } = present.reading;
  return {
    symbol: track.instrument.symbol,
    timestamp: timestamp(present.at),
    powers: namedPowers(powers),
    dimensions: dimensionsOf(powers),
  };
}

/** One day of powers: `date` is the key in cursors, because the forming row's time moves. */
export interface FactorDay {
  readonly date: string;
  /** World ms. */
  readonly at: number;
  readonly point: () => FactorPoint;
}

/** The closes of two years and the forming day, oldest first. */
export function factorDays(detector: StateDetector, track: Track, now: number): FactorDay[] {
  const { symbol } = track.instrument;
  const day = (date: string, at: number, powers: Powers): FactorDay => ({
    date,
    at,
    point: () => ({ symbol, timestamp: timestamp(at), powers: namedPowers(powers) }),
  });
  const days = track.days
    .filter(({ closedAt }) => closedAt >= now - HISTORY_MS && closedAt <= now)
    .map(({ closedAt, reading }) => day(reading.date, closedAt, reading.powers));
  const present = detector.present(track, now);
  if (present?.forming) days.push(day(present.reading.date, now, present.reading.powers));
  return days;
}

function presentOf(detector: StateDetector, track: Track, now: number): { reading: Reading; at: number } | null {
  const present = detector.present(track, now);
  const row = lastRow(track);
  return present === null || row === null
    ? null
    : { reading: present.reading, at: present.forming ? now : row.closedAt };
}

function exposures(track: Track, market: Track | undefined): Record<FactorCode, number | null> {
  const byDate = new Map(market?.days.slice(-BETA_CLOSES).map(({ reading }) => [reading.date, reading.powers]));
  const own: Powers[] = [];
  const others: Powers[] = [];
  for (const { reading } of track.days.slice(-BETA_CLOSES)) {
    const other = byDate.get(reading.date);
    if (other === undefined) continue;
    own.push(reading.powers);
    others.push(other);
  }
  const betas = exposuresOf(own, others);
  return Object.fromEntries(FACTOR_CODES.map((code) => [code, decimals(betas[code])])) as Record<
    FactorCode,
    number | null
  >;
}

const dimensionsOf = (powers: Powers): DimensionRow[] =>
  FACTOR_DIMENSIONS.map(({ code, name, description, domain, icon, color }) => ({
    code,
    name,
    power: decimals(powers[code]),
    description,
    domain,
    icon,
    color,
  }));

const namedPowers = (powers: Powers): NamedPowers =>
  Object.fromEntries(FACTOR_DIMENSIONS.map(({ code, key }) => [key, decimals(powers[code])]));

/** Six decimals; also turns -0 into 0, which JSON does not distinguish. */
const decimals = (value: number | null): number | null => (value === null ? null : Math.round(value * 1e6) / 1e6 + 0);
