// Renderer, pure: exports the shown timeline: points, transitions, gaps; an unknown value is empty.
import Papa from 'papaparse';
import { stateName } from '../../../shared/domain/states.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { TimeRange } from '../../charts/brush-range.ts';
import type { ChartModel } from '../../charts/model.ts';

export interface TimelineFile {
  readonly symbol: string;
  readonly environment: 'sandbox' | 'production';
  readonly granularity: ChartModel['resolution'];
  readonly from: string;
  readonly to: string;
  readonly points: readonly {
    readonly time: string;
    readonly price: number | null;
    readonly state: string | null;
    readonly regime: string | null;
    readonly confidence: number | null;
  }[];
  readonly transitions: readonly {
    readonly time: string;
    readonly from: string;
    readonly to: string;
    readonly event_id: string | null;
  }[];
  readonly gaps: readonly { readonly from: string; readonly to: string | null; readonly cause: string }[];
}

export function timelineFile(
  model: ChartModel,
  { from, to }: TimeRange,
  environment: TimelineFile['environment'],
): TimelineFile {
  const within = (ms: number): boolean => ms >= from && ms <= to;
  return {
    symbol: model.symbol,
    environment,
    granularity: model.resolution,
    from: timestamp(from),
    to: timestamp(to),
    points: model.points
      .filter((point) => within(point.ms))
      .map(({ ms, price, state, regime, confidence }) => ({
        time: timestamp(ms),
        price,
        state: state === null ? null : stateName(state),
        regime,
        confidence,
      })),
    transitions: model.stateChanges
      .filter((turn) => within(turn.at))
      .map((turn) => ({
        time: timestamp(turn.at),
        from: stateName(turn.from),
        to: stateName(turn.to),
        event_id: turn.transition?.event_id ?? null,
      })),
    gaps: model.gaps
      .filter((gap) => gap.from <= to && (gap.to ?? to) >= from)
      .map((gap) => ({ from: timestamp(gap.from), to: gap.to === null ? null : timestamp(gap.to), cause: gap.cause })),
  };
}

/** One table: every row names its kind. */
export function timelineCsv(file: TimelineFile): string {
  const fields = ['kind', 'symbol', 'time', 'until', 'price', 'state', 'from_state', 'regime', 'confidence', 'cause'];
  const { symbol } = file;
  const data = [
    ...file.points.map((one) => [
      'point',
      symbol,
      one.time,
      null,
      one.price,
      one.state,
      null,
      one.regime,
      one.confidence,
      null,
    ]),
    ...file.transitions.map((one) => ['transition', symbol, one.time, null, null, one.to, one.from, null, null, null]),
    ...file.gaps.map((one) => ['gap', symbol, one.from, one.to, null, null, null, null, null, one.cause]),
  ];
  return `${Papa.unparse({ fields, data }, { escapeFormulae: true, newline: '\n' })}\n`;
}
