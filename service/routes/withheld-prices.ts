// Service, routes: removes prices from records, for keys other than the operator's.
// For operators who may not redistribute the prices of a vendor.
import type { HistoryPoint, Signal } from '../../shared/wire/records.ts';
import type { RegimePoint, RegimeRecord } from '../../shared/wire/regime.ts';
import type { Caller } from '../auth/authenticate.ts';
import { unquotedQuestion } from '../signals/questioned-states.ts';
import type { ApiKeyStore } from '../store/api-key-store.ts';

/** Whether a caller gets no prices. */
export type PriceWithholding = (caller: Caller | null) => boolean;

/** Only the operator's account gets prices. */
export const withholdFromOthers =
  (keys: Pick<ApiKeyStore, 'operator'>): PriceWithholding =>
  (caller) =>
    caller === null || caller.account !== keys.operator();

export const withholdNothing: PriceWithholding = () => false;

export function signalWithoutPrice({ breach_level: _, price_question: asked, ...signal }: Signal): Signal {
  const withheld = { ...signal, price: null, change_pct: null, price_withheld: true as const };
  if (asked === undefined) return withheld;
  const reason = unquotedQuestion({ symbol: signal.symbol, date: asked.date, countsAs: asked.counts_as });
  return { ...withheld, price_question: { ...asked, price: null, before: null, reason } };
}

export function pointWithoutPrice({ open: _o, high: _h, low: _l, volume: _v, ...point }: HistoryPoint): HistoryPoint {
  return { ...point, price: null };
}

export const regimeWithoutPrice = (record: RegimeRecord): RegimeRecord => ({
  ...record,
  price: null,
  change_pct: null,
  price_withheld: true,
});

export const regimePointWithoutPrice = (point: RegimePoint): RegimePoint => ({ ...point, price: null });
