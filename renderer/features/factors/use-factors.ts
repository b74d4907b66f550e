// Renderer: reads the factors of a symbol: the current sheet, and two years of days.
// The sheet is kept fresh while it is shown.
import { useMemo } from 'react';
import type { FactorPoint, FactorSheet } from '../../../shared/channels/queries.ts';
import { FACTOR_DIMENSIONS } from '../../../shared/domain/factors.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { texts } from '../../../shared/text/texts.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { useChannelQuery, useChannelSeries, useSettled } from '../../queries/use-channel-query.ts';
import { useIsOffline, useWorldNow } from '../../store/connection-status.ts';
import { useDrawnMoment } from '../../store/shown-moment.ts';
import { useSnapshot } from '../../store/store.ts';

/** Reads only after this pause, so that keyboard navigation through the list does not read every row, ms. */
const SETTLE_MS = 150;
const TWO_YEARS = 731 * DAY_MS;

export interface Factors {
  readonly sheet: FactorSheet | null;
  /** Why the sheet is missing, as text. */
  readonly sheetProblem: string | null;
  readonly history: readonly FactorPoint[] | null;
  readonly historyProblem: string | null;
  /** 0..1 */
  readonly progress: number;
  readonly stop: () => void;
  readonly retry: () => void;
}

/** The powers of a past day, of which no shares of the risk are recorded. */
const sheetOf = (symbol: string, point: FactorPoint | undefined): FactorSheet | null =>
  point === undefined
    ? null
    : {
        symbol,
        at: point.at,
        factors: FACTOR_DIMENSIONS.map(({ code, name }) => ({
          code,
          name,
          power: point.powers[code],
          contribution: null,
        })),
      };

/** @param turnAt when the symbol last changed its state, ms: a reason to read again */
export function useFactors(symbol: string, turnAt: number | null): Factors {
  const coverage = useSnapshot((snapshot) => snapshot.rows[symbol]?.coverage);
  const isOffline = useIsOffline();
  // While offline, this computer's archive may hold a symbol whose coverage is unknown.
  const isCovered = coverage === 'full' || (isOffline && coverage === 'unknown');
  // A day that closes adds a point to the history.
  const day = useWorldNow(DAY_MS) / DAY_MS;
  const [from, to] = [(day + 1) * DAY_MS - TWO_YEARS, (day + 1) * DAY_MS];
  const at = useDrawnMoment();
  const isNow = at === null;
  const now = isCovered && isNow ? { symbol } : null;
  const sheet = useChannelQuery('factors.read', now, { version: isNow ? turnAt : null });
  const isSettled = useSettled(symbol, SETTLE_MS);
  const input = isCovered && isSettled ? { symbol, from: timestamp(from) } : null;
  const days = useChannelSeries('factors.page', input, { subject: symbol });
  const { complete } = days;
  const history = useMemo(() => {
    const points = complete?.pages.flatMap((page) => page.points) ?? null;
    return points === null || at === null ? points : points.filter((point) => Date.parse(point.at) <= at);
  }, [complete, at]);
  const reached = Date.parse(days.pages.at(-1)?.points.at(-1)?.at ?? '') || from;
  const historyProblem = days.error?.message ?? (days.isStopped ? texts.common.stopped : null);
  const past = isNow || history === null ? null : sheetOf(symbol, history.at(-1));
  const noPast = historyProblem ?? (history === null || past !== null ? null : texts.factors.noThen);
  return {
    sheet: isNow ? (sheet.data ?? null) : past,
    sheetProblem: isNow ? (sheet.error?.message ?? null) : noPast,
    history,
    historyProblem,
    progress: Math.max(0, Math.min(1, (reached - from) / (to - from))),
    stop: days.stop,
    retry() {
      void sheet.refetch();
      days.retry();
    },
  };
}
