// Renderer, pure: the texts of a chart: its summary, a point, a change of state.
import type { Granularity } from '../../shared/channels/queries.ts';
import { regimeLabel } from '../../shared/domain/regimes.ts';
import { isOpen } from '../../shared/domain/sessions.ts';
import { stateLabel } from '../../shared/domain/states.ts';
import { count, datedDay, price, shortTimestamp, weekdayTime, type Zone } from '../../shared/text/format.ts';
import { texts } from '../../shared/text/texts.ts';
import { type ChartModel, type ChartPoint, type GapBand, type StateChange, sessionMs } from './model.ts';

/** How times are written. */
export interface TimeStyle {
  /** Zone of hours and minutes; a session day is the same in every zone. */
  readonly zone: Zone;
  /** World time, ms. A day of another year is written with its year. */
  readonly now: number;
}

export const pointText = (
  point: ChartPoint,
  { resolution, calendar = 'always' }: ChartModel,
  style: TimeStyle,
): string =>
  texts.chart.point(
    timeOf(point.ms, resolution, style),
    point.price !== null ? price(point.price) : isOpen(calendar, point.ms) ? null : texts.chart.closed,
    tradingOf(point),
    point.state,
    point.regime === null ? texts.chart.noRegime : regimeLabel(point.regime),
  );

/** Open, high, low and volume of a day; null where none of them is known. */
function tradingOf({ range, volume }: ChartPoint): string | null {
  const parts = [
    ...(range === undefined ? [] : [texts.chart.dayRange(price(range.open), price(range.high), price(range.low))]),
    ...(volume === undefined ? [] : [texts.chart.volume(count(volume))]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

const timeOf = (ms: number, resolution: Granularity, { zone, now }: TimeStyle): string =>
  resolution === 'day' ? datedDay(sessionMs(ms), now) : weekdayTime(ms, zone);

/** Counts the state changes since the first point: by hour or minute, the model has those of all days. */
export function summaryText(model: ChartModel, style: TimeStyle): string {
  const first = model.points[0];
  const last = model.points.at(-1);
  if (first === undefined || last === undefined) return texts.chart.empty(model.symbol);
  const prices = model.points.flatMap((point) => point.price ?? []);
  const newest = model.points.findLast((point) => point.price !== null)?.price ?? null;
  return texts.chart.summary(
    model.symbol,
    timeOf(first.ms, model.resolution, style),
    timeOf(last.ms, model.resolution, style),
    newest === null ? null : { low: price(Math.min(...prices)), high: price(Math.max(...prices)), last: price(newest) },
    model.stateChanges.filter(({ at }) => at >= first.ms).length,
    last.state === null ? null : stateLabel(last.state),
    last.regime === null ? texts.chart.noRegime : regimeLabel(last.regime),
  );
}

export const changeHeading = ({ at, from, to, transition }: StateChange, { zone, now }: TimeStyle): string =>
  texts.chart.transition(from, to, transition === null ? datedDay(sessionMs(at), now) : weekdayTime(at, zone));

export const gapHeading = ({ from, to }: GapBand, zone: Zone): string =>
  to === null
    ? texts.chart.gapOpen(weekdayTime(from, zone))
    : texts.chart.gapFrom(weekdayTime(from, zone), shortTimestamp(to, zone, from));
