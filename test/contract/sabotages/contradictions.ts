// Contract: violations in records that contradict each other: signals, times, metrics, powers.
import type { Sabotage } from '../../harness/broken-service.ts';
import { type AnyJson, asked, at, paramsOf, powers, type Violation } from './builders.ts';

let calls = 0;
const ROUND_TIME = '2026-03-02T14:30:00.000Z';
/** The powers of another symbol under the name of the one that was asked for. */
const powersOf = (symbol: string): Sabotage => {
  const names = new WeakMap<object, string>();
  return {
    request: (request) => {
      const name = request.path.startsWith('/api/archetypes') ? paramsOf(request.path).get('symbol') : null;
      if (name === null || !/^[A-Z]{1,5}$/.test(name)) return;
      names.set(request, name);
      request.path = `/api/archetypes/current?symbol=${symbol}`;
    },
    answer: ({ body }, request) => {
      const name = names.get(request);
      if (name !== undefined && body?.powers) body.symbol = name;
    },
  };
};

const signals: readonly Violation[] = [
  {
    what: 'an instrument twice in the snapshot',
    red: ['snapshot-once'],
    sabotage: at('/snapshot', ({ body }) => body.data.push(body.data[0])),
  },
  {
    what: 'a snapshot of what is in High Risk',
    red: ['snapshot-complete'],
    sabotage: asked(/^\/snapshot\?limit=100$/, '/snapshot?limit=100&state=high_risk'),
  },
  {
    what: 'another state in the signal than in the snapshot',
    red: ['signal-agrees', 'signal-follows'],
    sabotage: at('/signal?', ({ body }) => {
      const state = (body.state + 1) % 3;
      Object.assign(body, { state, state_name: ['normal', 'elevated', 'high_risk'][state] });
    }),
  },
  {
    what: 'probabilities beyond 1',
    red: ['regime-agrees'],
    sabotage: at('/regime/', ({ body: { probabilities, regime } }) => {
      for (const name of Object.keys(probabilities ?? {})) if (name !== regime) probabilities[name] = 0.3;
    }),
  },
];

const times: readonly Violation[] = [
  {
    what: 'a day twice',
    red: ['history-order', 'pages-end'],
    sabotage: at('/history', ({ body: { data } }) => {
      const index = data.findIndex(({ timestamp }: AnyJson) => timestamp.startsWith('2026-01-15'));
      if (index >= 0) data.splice(index, 0, data[index]);
    }),
  },
  {
    what: 'alerts that last no time',
    red: ['alerts-lengths'],
    sabotage: at('/alerts', ({ body }) => {
      for (const row of body.data) if (row.duration_seconds !== null) row.duration_seconds = 0;
    }),
  },
  {
    what: 'hours where days are asked for',
    red: ['regime-granularity-day'],
    sabotage: asked(/granularity=day/, 'granularity=hour'),
  },
  {
    what: 'the age of the data now in an answer for a past time',
    red: ['regime-as-of-age'],
    sabotage: at('/regime/', ({ body }, { path }) => {
      if (path.includes('as_of=')) body.data_age_seconds += 9 * 86_400;
    }),
  },
  {
    what: 'regimes without a history of coins and currencies',
    red: ['regime-history-covered'],
    sabotage: {
      answer: (answer, { path }) => {
        if (/^\/regime\/(BTC|EURUSD)\/history/.test(path))
          Object.assign(answer, { status: 404, body: { code: 'symbol_not_covered', message: 'm' } });
      },
    },
  },
  {
    what: 'times whose offset is ignored',
    red: ['iso-offsets'],
    sabotage: asked(/(from=[\d-]+T[\d:.]+|from=[\d-]+T[\d%A.]+)(%2B|\+|-)\d\d(%3A|:)\d\d/i, '$1Z'),
  },
];

const metrics: readonly Violation[] = [
  {
    what: 'f1 as the plain mean',
    red: ['validation-f1'],
    sabotage: at('/api/validation', ({ body }) => {
      for (const { full, holdout } of body.symbols)
        for (const part of [full, holdout]) part.f1 = (part.precision + part.recall) / 2;
    }),
  },
  {
    what: 'two rows of metrics for a symbol',
    red: ['validation-once'],
    sabotage: at('/api/validation', ({ body }) => body.symbols.push(body.symbols[0])),
  },
  {
    what: 'rows that contradict the map of powers',
    red: ['factors-agree'],
    sabotage: powers(({ dimensions }) => {
      for (const row of dimensions) if (row.power !== null) row.power = Number((1 - row.power).toFixed(6));
    }),
  },
  {
    what: 'other powers at the same time',
    red: ['stable-powers'],
    sabotage: powers((body) => {
      calls += 1;
      body.timestamp = ROUND_TIME;
      body.powers.momentum = (calls % 10) / 10;
    }),
  },
  { what: 'the powers of one symbol under every name', red: ['archetypes-differ'], sabotage: powersOf('SPY') },
];

export const CONTRADICTION_VIOLATIONS: readonly Violation[] = [...signals, ...times, ...metrics];
