// Service, signals: the prices within a day at the level of the closed bars, for the engine. Pure.
// What is served of the day in progress has the level that is traded.
import type { State } from '../../shared/domain/states.ts';
import type { Engine, Reading } from '../engine/types.ts';
import type { FormingBar } from '../market/types.ts';

type Dated = Pick<Reading, 'date' | 'close'>;

/** Prices that were derived differ by less; a level differs by more. */
const SAME_LEVEL = 1e-6;

export interface LevelledReading extends Reading {
  /** Of the day in progress: level of its close and its breach level over that of the closed bars. Absent: the same. */
  readonly level?: number;
}

/**
 * Level of the prices within a day over that of the closed bars as they are served now.
 * @param closed the bar before the day, as it is served now
 * @param known the last bar as it was known within the day: absent, closed bars have kept their level since
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

const levelIn = (engine: Engine, symbol: string, bar: FormingBar): number =>
  bar.closeBefore === undefined ? 1 : levelOver(engine.last(symbol), bar);

/** As `Engine.peekState`. */
export const peekStateOf = (engine: Engine, symbol: string, bar: FormingBar, from: State): State =>
  engine.peekState(symbol, bar.close / levelIn(engine, symbol, bar), from, bar.missing);

/** As `Engine.peek`. */
export function peekOf(engine: Engine, symbol: string, bar: FormingBar, from: State): LevelledReading | null {
  const level = levelIn(engine, symbol, bar);
  if (level === 1) return engine.peek(symbol, bar, from);
  const [open, high, low, close] = [bar.open / level, bar.high / level, bar.low / level, bar.close / level];
  const reading = engine.peek(symbol, { ...bar, open, high, low, close }, from);
  if (reading === null) return null;
  const { breachLevel } = reading;
  return { ...reading, close: bar.close, breachLevel: breachLevel === null ? null : breachLevel * level, level };
}
