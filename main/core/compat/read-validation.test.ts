// Test: the parts of a validation record are read separately: an invalid one affects no other.
import { expect, test } from 'vitest';
import { readDetails } from './read-validation.ts';

const interval = { low: 0.1, high: 0.2 };
const intervals = {
  f1: interval,
  strict_f1: interval,
  day_lift: interval,
  brier_skill: null,
  loss_in_alert: interval,
  loss_otherwise: interval,
};
const quartiles = { median: 8, lower: 3, upper: 15 };
const after = { bars: 100, loss: 0.2, half_loss: 0.4, mean_return: 1.1, volatility: 1.3 };
const outcomes = {
  years: 26.4,
  signals_a_year: 3.6,
  false_alarms_a_year: 1.7,
  alert_bars: quartiles,
  bars_to_breach: quartiles,
  bars_to_trough: null,
  half_ahead: 0.6,
  before_half_of_fall: 0.5,
  on_eve_of_breach: 0.7,
  after_alert: after,
  otherwise: null,
};
const strict = { recall: 0.5, precision: 0.2, f1: 0.28, episodes: 9, day_lift: 2.1 };
const score = {
  recall: 0.8,
  precision: 0.4,
  f1: 0.53,
  n_signals: 30,
  events: 10,
  tp: 8,
  fp: 12,
  late: 9,
  unresolved: 1,
};
const pooled = { ...score, in_alert: 0.19, false_alarms_a_year: 2, lead_bars: 9.7, strict };
const curve = {
  bars: 20,
  base_rate: 0.12,
  calibration_error: 0.01,
  brier_skill: 0.05,
  bins: [{ predicted: 0.1, observed: 0.2, bars: 20 }],
};
const provenance = {
  pooled: { full: pooled, holdout: pooled },
  baselines: { always_on: { full: pooled, holdout: { ...pooled, f1: 0.2 } } },
  nulls: {
    shifted: { full: { f1: 0.19, strict_f1: 0.1 }, holdout: { f1: 0.18, strict_f1: 0.1 } },
    shuffled: 'not yet',
  },
  reliability: { full: curve, holdout: null },
  scorer: { horizon: 21, note: 'x' },
  too_short: ['new', 7],
  fitted: { seen: ['SPY'] },
  windows: [{ symbol: 'spy', from: '2002-01-02', to: '2026-07-23T20:00:00Z' }, { symbol: 'QQQ' }],
  data_hash: 'ab',
  uncertainty: {
    full: null,
    holdout: { years: 9, resamples: 500, intervals, against: 'dd_tuned', differences: intervals },
  },
  ceilings: { random_walk: { f1: 0.43, strict_f1: 0.11, day_lift: 1 }, other: 7 },
};

test('every part of our own service is read', () => {
  const details = readDetails(provenance, {
    pooled: { full: outcomes, holdout: outcomes },
    symbols: [{ symbol: 'spy', full: outcomes, holdout: outcomes }, { symbol: 'QQQ' }],
  });
  expect(details.pooled?.holdout).toMatchObject({
    right: 8,
    wrong: 12,
    late: 9,
    undecided: 1,
    strict_f1: 0.28,
    day_lift: 2.1,
  });
  expect(details.baselines).toEqual([
    { name: 'always_on', kind: 'rule', full: 0.53, holdout: 0.2 },
    { name: 'shifted', kind: 'null', full: 0.19, holdout: 0.18 },
    { name: 'random_walk', kind: 'ceiling', full: 0.43, holdout: null },
  ]);
  expect(details.outcomes).toEqual({
    full: outcomes,
    holdout: outcomes,
    symbols: [{ symbol: 'SPY', full: outcomes, holdout: outcomes }],
  });
  expect(details.uncertainty).toEqual({
    full: null,
    holdout: { years: 9, intervals, against: 'dd_tuned', differences: intervals },
  });
  expect(details.reliability).toEqual({
    full: {
      bars: 20,
      base_rate: 0.12,
      calibration_error: 0.01,
      brier_skill: 0.05,
      interval: null,
      bins: [{ said: 0.1, happened: 0.2, bars: 20, interval: null }],
    },
    holdout: null,
  });
  const interval = { low: 0.1, high: 0.3 };
  const { full } = provenance.reliability;
  const resampled = { ...full, calibration_interval: interval, bins: full.bins.map((bin) => ({ ...bin, interval })) };
  const high_risk_reliability = { full: null, holdout: resampled };
  expect(readDetails({ high_risk_reliability }, undefined).high_risk).toMatchObject({
    full: null,
    holdout: { interval, bins: [{ said: 0.1, interval }] },
  });
  expect(details).toMatchObject({
    scorer: { horizon: 21 },
    too_short: ['NEW'],
    seen: ['SPY'],
    windows: [{ symbol: 'SPY', from: '2002-01-02', to: '2026-07-23' }],
    data_hash: 'ab',
  });
});

test('a service without parts has none', () => {
  expect(readDetails({ pooled: { full: pooled }, reliability: 3, fitted: [], windows: {} }, undefined)).toEqual({
    pooled: null,
    baselines: [],
    reliability: { full: null, holdout: null },
    high_risk: { full: null, holdout: null },
    outcomes: null,
    uncertainty: { full: null, holdout: null },
    scorer: {},
    too_short: [],
    seen: null,
    windows: [],
    data_hash: null,
  });
});
