// Renderer, pure: exports the shown timeline: points, transitions, gaps, notes. Unknown is empty.
import Papa from 'papaparse';
import { stateName } from '../../../shared/domain/states.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { TimeRange } from '../../charts/chart-range.ts';
import type { ChartModel } from '../../charts/model.ts';

/** Percent; null where unknown. */
interface Confidences {
  readonly state_confidence_percent: number | null;
  readonly regime_confidence_percent: number | null;
}

export interface TimelineFile {
  readonly symbol: string;
  readonly environment: 'sandbox' | 'production';
  readonly granularity: ChartModel['resolution'];
  readonly from: string;
  readonly to: string;
  readonly points: readonly ({
    readonly time: string;
    readonly price: number | null;
    readonly open: number | null;
    readonly high: number | null;
    readonly low: number | null;
    readonly volume: number | null;
    readonly state: string | null;
    readonly regime: string | null;
  } & Confidences)[];
  readonly transitions: readonly ({
    readonly time: string;
    readonly from: string;
    readonly to: string;
    readonly regime: string | null;
    readonly event_id: string | null;
  } & Confidences)[];
  readonly gaps: readonly { readonly from: string; readonly to: string | null; readonly cause: string }[];
  /** Written by the user, on the symbol or on one of its alerts. */
  readonly notes: readonly { readonly time: string; readonly note: string }[];
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
      .map(({ ms, price, range, volume = null, state, regime, confidence, regimeConfidence = null }) => ({
        time: timestamp(ms),
        price,
        open: range?.open ?? null,
        high: range?.high ?? null,
        low: range?.low ?? null,
        volume,
        state: state === null ? null : stateName(state),
        state_confidence_percent: confidence,
        regime,
        regime_confidence_percent: regimeConfidence,
      })),
    transitions: model.stateChanges
      .filter((turn) => within(turn.at))
      .map((turn) => ({
        time: timestamp(turn.at),
        from: stateName(turn.from),
        to: stateName(turn.to),
        state_confidence_percent: turn.transition?.confidence ?? null,
        regime: turn.transition?.regime ?? null,
        regime_confidence_percent: regimeConfidenceAt(model, turn),
        event_id: turn.transition?.event_id ?? null,
      })),
    gaps: model.gaps
      .filter((gap) => gap.from <= to && (gap.to ?? to) >= from)
      .map((gap) => ({ from: timestamp(gap.from), to: gap.to === null ? null : timestamp(gap.to), cause: gap.cause })),
    notes: (model.notes ?? [])
      .filter((note) => within(note.at))
      .map(({ at, text }) => ({ time: timestamp(at), note: text })),
  };
}

/** The confidence at the last point before the change, if that point has the regime of the change. */
function regimeConfidenceAt({ points }: ChartModel, { at, transition }: ChartModel['stateChanges'][number]) {
  const point = points.findLast(({ ms }) => ms <= at);
  const isSame = transition !== null && point !== undefined && point.regime === transition.regime;
  return isSame ? (point.regimeConfidence ?? null) : null;
}

const FIELDS = [
  'kind',
  'symbol',
  'time',
  'until',
  'price',
  'open',
  'high',
  'low',
  'volume',
  'state',
  'state_confidence_percent',
  'from_state',
  'regime',
  'regime_confidence_percent',
  'cause',
  'note',
];

/** All rows are in one table; each names its kind. */
export function timelineCsv(file: TimelineFile): string {
  const { symbol } = file;
  const data = [
    ...file.points.map((one) => ({ kind: 'point', symbol, ...one })),
    ...file.transitions.map(({ from, to, ...one }) => ({
      kind: 'transition',
      symbol,
      ...one,
      state: to,
      from_state: from,
    })),
    ...file.gaps.map(({ from, to, cause }) => ({ kind: 'gap', symbol, time: from, until: to, cause })),
    ...file.notes.map((one) => ({ kind: 'note', symbol, ...one })),
  ];
  return `${Papa.unparse(data, { columns: FIELDS, escapeFormulae: true, newline: '\n' })}\n`;
}
