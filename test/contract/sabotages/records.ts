// Contract: violations in records: snapshots, signals, factors, validation (specification 1, 2).
import { type AnyJson, all, at, fails, LISTS, powers, type Violation } from './builders.ts';

let calls = 0;

export const RECORD_VIOLATIONS: readonly Violation[] = [
  {
    what: 'an empty snapshot',
    red: ['monitored-instruments'],
    sabotage: at('/snapshot', ({ body }) => Object.assign(body, { data: [] })),
  },
  {
    what: 'no regime of currencies',
    red: ['regime-symbols'],
    sabotage: fails('/regime/EURUSD', 404, { code: 'not_found', message: 'm' }),
  },
  {
    what: 'a month of factors',
    red: ['factor-history'],
    sabotage: at('/factors?symbol=SPY&from', ({ body }) =>
      Object.assign(body.data[0], { timestamp: new Date().toISOString() }),
    ),
  },
  {
    what: 'another answer to each request',
    red: ['sandbox-deterministic'],
    sabotage: at('/regime', ({ body }) => Object.assign(body, { label: `${body.label}${++calls}` })),
  },
  {
    what: 'overage in the sandbox',
    red: ['sandbox-free'],
    first: ['answers-alerts'],
    sabotage: at('/alerts', ({ headers }) => Object.assign(headers, { 'x-ratelimit-overage': '3' })),
  },
  {
    what: 'a state as a word',
    red: ['signal-shape'],
    sabotage: at('/signal?', ({ body }) => Object.assign(body, { state: 'normal' })),
  },
  {
    what: 'shares instead of percentages',
    red: ['confidence-percent'],
    sabotage: at('/snapshot', ({ body }) =>
      body.data.map((row: AnyJson) => Object.assign(row, { confidence: row.confidence / 100 })),
    ),
  },
  {
    what: 'metrics without a time',
    red: ['validation-shape'],
    sabotage: at('/api/validation', ({ body }) => Object.assign(body, { computed_at: 'today' })),
  },
  {
    what: 'a count that is not an integer',
    red: ['validation-rows'],
    sabotage: at('/api/validation', ({ body }) => Object.assign(body.symbols[0].holdout, { n_signals: 1.5 })),
  },
  {
    what: 'provenance without notes',
    red: ['validation-notes'],
    sabotage: at('/api/validation', ({ body }) => void delete body.provenance.notes),
  },
  {
    what: 'neither variant of factors',
    red: ['factors-variant'],
    sabotage: powers((body) => {
      delete body.powers;
      delete body.dimensions;
    }),
  },
  {
    what: 'names in capitals and wrong codes',
    red: ['factors-map', 'factors-rows'],
    sabotage: powers((body) => {
      body.powers.Chaos = 0.1;
      body.dimensions[0].code = 'D-02';
    }),
  },
  {
    what: 'lists without has_more',
    red: all('envelope', LISTS),
    sabotage: { answer: ({ body }) => void delete body?.has_more },
  },
  {
    what: 'an unknown type of briefing',
    red: ['briefing-fields'],
    sabotage: at('/api/briefings', ({ body }) => Object.assign(body.data[0], { type: 'evening' })),
  },
];
