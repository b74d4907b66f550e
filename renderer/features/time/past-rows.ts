// Renderer, pure: the row of a symbol as it was, from its days and its changes of state.
import type { Row, RowSignal } from '../../../shared/channels/state.ts';
import { type State, stateName } from '../../../shared/domain/states.ts';
import { lacksCloses, stateAt } from '../../../shared/domain/timeline.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { ChartModel } from '../../charts/model.ts';

/**
 * What is not recorded is unknown: no row of the past has a value of the present.
 * @param row the present one: name, class and coverage of the symbol
 * @param model undefined: not read, or not known
 * @param at world time, ms
 */
export function pastRow(row: Row, model: ChartModel | undefined, at: number): Row {
  const signal = model === undefined ? null : pastSignal(row, model, at);
  return {
    symbol: row.symbol,
    coverage: row.coverage === 'full' && signal === null ? 'unknown' : row.coverage,
    signal,
    regime: signal?.regime ?? null,
    received_at: null,
    stale: false,
  };
}

/** The last state holds until the next close, which the model may not have; not in a gap. null: unknown */
function stateThen({ points, bands, gaps, calendar = 'always' }: ChartModel, at: number): State | null {
  const last = points.at(-1)?.ms ?? 0;
  const isAfter = at >= last && !lacksCloses(calendar, last, at);
  const isGap = gaps.some(({ from, to }) => from <= at && (to === null || at < to));
  return stateAt(bands, at) ?? (isAfter && !isGap ? (bands.at(-1)?.state ?? null) : null);
}

function pastSignal(row: Row, model: ChartModel, at: number): RowSignal | null {
  const index = model.points.findLastIndex(({ ms }) => ms <= at);
  const point = model.points[index];
  const state = stateThen(model, at);
  if (point === undefined || state === null) return null;
  const before = model.points[index - 1]?.price ?? null;
  const change = model.stateChanges.findLast((one) => one.at <= at);
  const entered = change?.transition ?? null;
  // Later than the close, the transition states the confidence.
  const isOfPoint = point.state === state && (change === undefined || change.at <= point.ms);
  return {
    symbol: row.symbol,
    name: row.signal?.name ?? '',
    asset_class: row.signal?.asset_class ?? null,
    state,
    state_name: stateName(state),
    confidence: isOfPoint ? point.confidence : (entered?.confidence ?? null),
    confidence_of: isOfPoint ? point.confidence_of : entered?.confidence_of,
    note: entered?.to_state === state ? entered.note : '',
    since: change === undefined ? null : timestamp(change.at),
    regime: point.regime,
    price: point.price,
    change_pct: point.price === null || before === null ? null : 100 * (point.price / before - 1),
    base_rate: isOfPoint ? (point.base_rate ?? null) : null,
    breach_level: point.breach_level ?? null,
    breach_progress: point.breach_progress ?? null,
    decided_at: timestamp(point.ms),
    next_decision_at: null,
    updated_at: timestamp(Math.max(point.ms, change?.at ?? 0)),
    model_version: entered?.model_version ?? '',
  };
}
