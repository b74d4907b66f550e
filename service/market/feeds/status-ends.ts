// Service, market feeds: finds halts and delistings that the feed's later prices contradict. Pure.
// A resumption may be lost with a connection, and a takeover be postponed.

import { MINUTE_MS } from '../../../shared/lib/time.ts';
import { countLeading } from '../../count-leading.ts';
import type { Bar } from '../../engine/types.ts';
import type { TapeAction } from '../tape/tape-action.ts';

/** Closes after a delisting that contradict it: a few may come late or by mistake. */
const TRADING_SESSIONS = 5;

/** The recorded statuses and bars of a symbol. */
interface SymbolRecord {
  /** By date. */
  readonly statuses: readonly TapeAction[];
  readonly bars: readonly Bar[];
  /** Start of the newest minute, ms; null: none is known. */
  readonly lastStart: number | null;
}

/**
 * Considers only statuses of the feed itself; an operator's remain in force until withdrawn.
 * @returns resumptions for the contradicted statuses
 */
export function resumptions(feed: string, today: string, { statuses, bars, lastStart }: SymbolRecord): TapeAction[] {
  const resume = ({ symbol, date }: TapeAction, note: string): TapeAction => {
    return { kind: 'resume', symbol, date, factor: null, note };
  };
  const ended = statuses.flatMap((one, index) => {
    if (one.kind !== 'delisting' || one.feed !== feed) return [];
    const next = statuses[index + 1];
    if (next?.kind === 'delisting' && next.feed === feed) return resume(one, `It ends on ${next.date}.`);
    const before = (date: string): number => countLeading(bars, (bar) => bar.date < date);
    const after = countLeading(bars, ({ date }) => date <= one.date);
    const traded = (next === undefined ? bars.length : before(next.date)) - after;
    return traded >= TRADING_SESSIONS ? resume(one, 'Its prices went on.') : [];
  });
  const halt = statuses.findLast(({ date }) => date <= today);
  if (halt?.kind !== 'halt' || halt.feed !== feed) return ended;
  const { receivedAt = 0 } = halt;
  // At least a minute later, because this computer's clock may be slow.
  const isOver = (bars.at(-1)?.date ?? '') > halt.date || (lastStart !== null && lastStart >= receivedAt + MINUTE_MS);
  return isOver ? [...ended, resume(halt, `Prices went on after ${new Date(receivedAt).toISOString()}.`)] : ended;
}
