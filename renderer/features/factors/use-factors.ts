// Renderer: the factors of a symbol as a panel needs them: the present sheet, kept fresh while it is shown, and two years of days.
import { useEffect } from 'react';
import type { FactorSheet } from '../../../shared/channels/readings.ts';
import { every } from '../../../shared/lib/clock.ts';
import { useServices } from '../../services.ts';
import { useBlind, useWorldNow } from '../../store/sight.ts';
import type { FactorHistory, Slot } from '../../store/state.ts';
import { useApp, useBoard } from '../../store/store.ts';
import { useAskAgain } from '../../use-ask-again.ts';

/** How often the present powers are read while they are shown, ms of this computer's time. */
const FRESH = 30_000;
const SETTLES = 150;
const DAY = 86_400_000;
const TWO_YEARS = 731 * DAY;

export interface Factors {
  readonly sheet: Slot<FactorSheet> | undefined;
  readonly history: Slot<FactorHistory> | undefined;
  readonly readAgain: () => void;
}

/** @param turnAt when the symbol last changed its state, ms: a reason to look again */
export function useFactors(symbol: string, turnAt: number | null): Factors {
  const { readings, clock } = useServices();
  const epoch = useBoard((board) => board.epoch);
  const coverage = useBoard((board) => board.rows[symbol]?.coverage);
  const blind = useBlind();
  const sheet = useApp((state) => state.shelves.factors[symbol]);
  const history = useApp((state) => state.shelves.histories[symbol]);
  // Another day has closed: there is a new one on record.
  const day = Math.floor(useWorldNow() / DAY);
  const isWanted = coverage === 'full' && !blind;
  // Where nothing is seen, the archive of this computer may know what was heard last; once is enough.
  const isRecalled = blind && (coverage === 'full' || coverage === 'unknown') && sheet === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: sight that returned and a change of state are reasons to read again.
  useEffect(() => {
    if (!isWanted) return;
    readings.factors(symbol);
    return every(clock, FRESH, () => readings.factors(symbol));
  }, [readings, clock, symbol, epoch, turnAt, isWanted]);
  useEffect(() => {
    if (!isRecalled) return;
    readings.factors(symbol);
    readings.history(symbol, { from: (day + 1) * DAY - TWO_YEARS, to: (day + 1) * DAY }, `${epoch} ${day}`);
  }, [readings, symbol, epoch, day, isRecalled]);
  useEffect(() => {
    if (!isWanted) return;
    const to = (day + 1) * DAY;
    // Whoever walks through the list with the keyboard is not followed at every step.
    return clock.after(SETTLES, () => readings.history(symbol, { from: to - TWO_YEARS, to }, `${epoch} ${day}`));
  }, [readings, clock, symbol, epoch, day, isWanted]);
  const readHistory = (): void => {
    readings.history(symbol, { from: (day + 1) * DAY - TWO_YEARS, to: (day + 1) * DAY }, `${epoch} ${day}`);
  };
  useAskAgain(`${symbol} now`, sheet?.status, () => readings.factors(symbol));
  useAskAgain(`${symbol} days`, history?.status, readHistory);
  return {
    sheet,
    history,
    readAgain() {
      readings.factors(symbol);
      readHistory();
    },
  };
}
