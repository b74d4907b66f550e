// Service, signals: converts intraday prices to the level of the closed bars, for the engine. Pure.
// Queries serve the day in progress at the traded level.
import type { State } from '../../shared/domain/states.ts';
import type { Engine, Reading } from '../engine/types.ts';
import type { FormingBar, MarketSource } from '../market/types.ts';

type Dated = Pick<Reading, 'date' | 'close'>;

/** Tolerance: derived prices differ by less, levels by more. */
const SAME_LEVEL = 1e-6;

export interface LevelledReading extends Reading {
  /** Level of close and breach level of a forming day over that of the closed bars. Absent: 1. */
  readonly level?: number;
  /** Of the day in progress: sessions before it without a bar. Absent: none. */
  readonly missing?: number;
}

/**
 * Level of a day's intraday prices over that of the closed bars.
 * @param closed the bar before the day, at its present level
 * @param known the last bar as known within the day; absent: closed bars have kept their level since
 */
export function levelOver(
  closed: Dated | null,
  { closeBefore }: Pick<FormingBar, 'closeBefore'>,
  known: Dated | null = null,
): number {
  if (closed === null) return 1;
  const before = closeBefore ?? (known?.date === closed.date ? known.close : closed.close);
  const level = before / closed.close;
  return Math.abs(level - 1) < SAME_LEVEL ? 1 : level;
}

type FormingPrice = Pick<FormingBar, 'close' | 'closeBefore' | 'missing'>;

/** The close of the forming bar and its context, at the lowest cost; null: the source has none. */
export function formingPrice(market: MarketSource, symbol: string, now: number): FormingPrice | null {
  if (market.formingClose === undefined) return market.forming(symbol, now);
  const close = market.formingClose(symbol, now);
  return close === null ? null : { close };
}

const levelIn = (engine: Engine, symbol: string, bar: FormingPrice): number =>
  bar.closeBefore === undefined ? 1 : levelOver(engine.last(symbol), bar);

/** Like `Engine.peekState`. */
export const peekStateOf = (engine: Engine, symbol: string, price: FormingPrice, from: State): State =>
  engine.peekState(symbol, price.close / levelIn(engine, symbol, price), from, price.missing);

/** Like `Engine.peek`; the result is at the traded level. */
export function peekOf(engine: Engine, symbol: string, bar: FormingBar, from: State): LevelledReading | null {
  const level = levelIn(engine, symbol, bar);
  const gap = bar.missing === undefined ? {} : { missing: bar.missing };
  const [open, high, low, close] = [bar.open / level, bar.high / level, bar.low / level, bar.close / level];
  const reading = engine.peek(symbol, { ...bar, open, high, low, close }, from);
  if (reading === null) return null;
  if (level === 1) return { ...reading, ...gap };
  const { breachLevel } = reading;
  return {
    ...reading,
    close: bar.close,
    breachLevel: breachLevel === null ? null : breachLevel * level,
    level,
    ...gap,
  };
}
