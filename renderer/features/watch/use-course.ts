// Renderer: the regimes of a symbol by day, hour or minute for the stretch that is shown; read when what is there does not reach far enough.
import { useEffect } from 'react';
import type { Granularity } from '../../../shared/channels/readings.ts';
import type { Stretch } from '../../charts/brush-range.ts';
import { STEP } from '../../charts/fine-model.ts';
import { useServices } from '../../services.ts';
import { useBlind } from '../../store/sight.ts';
import type { RegimeCourse, Slot } from '../../store/state.ts';
import { useApp, useBoard } from '../../store/store.ts';
import { useAskAgain } from '../../use-ask-again.ts';

/** Dragging the brush changes the stretch many times; it is read when it has come to rest, ms. */
const SETTLES = 400;
const DAY = 86_400_000;
/** A regime is decided once a day, so a course may end this many steps before now. */
const LAG = 6;

export interface CourseState {
  readonly slot: Slot<RegimeCourse> | undefined;
  /** The course when it covers the stretch, else null. */
  readonly course: RegimeCourse | null;
}

/** @param granularity null: none is wanted; @param stretch to whole days, ms */
export function useCourse(symbol: string, granularity: Granularity | null, { from, to }: Stretch): CourseState {
  const { readings, clock } = useServices();
  const blind = useBlind();
  const epoch = useBoard((board) => board.epoch);
  const slot = useApp((state) =>
    granularity === null ? undefined : state.shelves.regimes[`${symbol} ${granularity}`],
  );
  const begin = Math.floor(from / DAY) * DAY;
  const end = Math.ceil(to / DAY) * DAY;
  const known = slot?.value ?? null;
  const lag = granularity === null ? 0 : LAG * STEP[granularity];
  const isCovered = known !== null && known.from <= begin && known.to + lag >= Math.min(to, end);
  const isFailed = slot?.status === 'failed';
  const reads = granularity !== null && !blind && !isCovered && !isFailed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: sight that returned is a reason to read again.
  useEffect(() => {
    if (!reads) return;
    return clock.after(SETTLES, () => readings.regimes(symbol, granularity, { from: begin, to: end }));
  }, [readings, clock, symbol, granularity, begin, end, epoch, reads]);
  useAskAgain(granularity === null ? null : `${symbol} ${granularity}`, blind ? null : slot?.status, () => {
    if (granularity !== null) readings.regimes(symbol, granularity, { from: begin, to: end });
  });
  return { slot, course: isCovered ? known : null };
}
