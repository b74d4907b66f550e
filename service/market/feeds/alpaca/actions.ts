// Service, Alpaca: converts corporate actions to splits, dividends, delistings and resumptions.

import { newYorkDate, zonedTime } from '../../../../shared/domain/sessions.ts';
import type { TapeAction } from '../../tape/tape-action.ts';
import type { CorporateActions, StatusMessage } from './messages.ts';

/** Types to request. Without spin-offs, which state no ratio of levels. */
export const ACTION_TYPES =
  'forward_split,reverse_split,stock_dividend,cash_dividend,unit_split,name_change,cash_merger,stock_merger,stock_and_cash_merger,worthless_removal';

export function tapeActions(actions: CorporateActions): TapeAction[] {
  const split = (symbol: string, date: string, factor: number, note: string): TapeAction => ({
    kind: 'split',
    symbol,
    date,
    factor,
    note,
  });
  const end = (symbol: string, date: string, note: string): TapeAction => ({
    kind: 'delisting',
    symbol,
    date,
    factor: null,
    note,
  });
  // The new ticker may have belonged to a delisted company: it resumes.
  const renamed = (before: string, after: string, date: string): TapeAction[] =>
    after === '' || after === before
      ? []
      : [
          end(before, date, `The symbol is ${after} now.`),
          { kind: 'resume', symbol: after, date, factor: null, note: `The symbol was ${before} before.` },
        ];

  return [
    ...[...actions.forward_splits, ...actions.reverse_splits].flatMap((one) => [
      split(one.symbol, one.ex_date, one.old_rate / one.new_rate, `${one.new_rate}:${one.old_rate}`),
      ...renamed(one.symbol, one.new_symbol ?? '', one.ex_date),
    ]),
    ...actions.stock_dividends.map((one) =>
      split(one.symbol, one.ex_date, 1 / (1 + one.rate), `${one.rate} shares for each one`),
    ),
    ...actions.cash_dividends.map(({ symbol, ex_date, rate }): TapeAction => {
      return { kind: 'dividend', symbol, date: ex_date, factor: null, amount: rate, note: null };
    }),
    ...actions.unit_splits.flatMap((one) => renamed(one.old_symbol, one.new_symbol, one.effective_date)),
    ...actions.name_changes.flatMap((one) => renamed(one.old_symbol, one.new_symbol, one.process_date)),
    ...[...actions.cash_mergers, ...actions.stock_mergers, ...actions.stock_and_cash_mergers].map((one) =>
      end(
        one.acquiree_symbol,
        one.effective_date,
        one.acquirer_symbol === undefined ? 'It was bought for cash.' : `It was taken over by ${one.acquirer_symbol}.`,
      ),
    ),
    ...actions.worthless_removals.map((one) => end(one.symbol, one.process_date, 'It was removed as worthless.')),
  ];
}

/**
 * Keeps the actions of the present holder of each name, as the bars of a name are the present holder's. Puts
 * resumptions last, because a name given up and taken on one date trades.
 */
export function ofPresentHolders(actions: readonly TapeAction[], today: string): TapeAction[] {
  const takenOn = new Map<string, string>();
  for (const { kind, symbol, date } of actions)
    if (kind === 'resume' && date <= today && date > (takenOn.get(symbol) ?? '')) takenOn.set(symbol, date);
  const isOwn = ({ kind, symbol, date }: TapeAction): boolean => {
    const taken = takenOn.get(symbol) ?? '';
    return kind === 'delisting' ? date > taken : date >= taken;
  };
  const isResume = ({ kind }: TapeAction): boolean => kind === 'resume';
  const own = actions.filter(isOwn);
  return [...own.filter((one) => !isResume(one)), ...own.filter(isResume)];
}

/** Tapes A and B (CTA plan). */
const CTA = { halted: ['2'], resumed: ['3'] };
/** Tapes C and O (UTP plan): halt, pause; trading resumption. Quotations resume earlier (Q). */
const UTP = { halted: ['H', 'P'], resumed: ['T'] };

/** null: the message does not change trading, such as an indication of prices. */
export function statusAction(message: StatusMessage, symbol: string): TapeAction | null {
  const codes = message.z === 'A' || message.z === 'B' ? CTA : UTP;
  const kind = codes.halted.includes(message.sc) ? 'halt' : codes.resumed.includes(message.sc) ? 'resume' : null;
  if (kind === null) return null;
  // The note has the time, because a share may halt several times a day.
  const { minute } = zonedTime(message.t, 'America/New_York');
  const time = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
  const reason = (message.rm || message.sm || (kind === 'halt' ? 'Halted' : 'Resumed')).slice(0, 200);
  return { kind, symbol, date: newYorkDate(message.t), factor: null, note: `${reason} (${time} in New York)` };
}
