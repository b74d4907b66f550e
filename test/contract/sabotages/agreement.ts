// Contract: violations that only show when answers about the same thing are compared.
import { type AnyJson, at, type Violation } from './builders.ts';

const NAMES = ['normal', 'elevated', 'high_risk'];

export const AGREEMENT_VIOLATIONS: readonly Violation[] = [
  {
    what: 'days with states of their own',
    red: ['history-states'],
    sabotage: at('/history', ({ body }) =>
      body.data.map((row: AnyJson) => {
        const state = (row.state + 1) % 3;
        return Object.assign(row, { state, state_name: NAMES[state] });
      }),
    ),
  },
  {
    what: 'days that hide what happened within them',
    red: ['history-worst'],
    sabotage: at('/history', ({ body }) =>
      body.data.map((row: AnyJson) => Object.assign(row, { worst_state: row.state, changes: 0 })),
    ),
  },
  {
    what: 'hours under the name of days',
    red: ['regime-granularity-honest'],
    sabotage: at('/regime/', ({ body }) => Object.assign(body, body.granularity ? { granularity: 'day' } : {})),
  },
  {
    what: 'a symbol that ended years ago among the present ones',
    red: ['snapshot-current'],
    sabotage: at('/snapshot', ({ body }) => Object.assign(body.data[0], { updated_at: '2020-03-13T20:00:00.000Z' })),
  },
  {
    what: 'a High Risk below its base rate for no reason',
    red: ['high-risk-above-base'],
    sabotage: at('/snapshot', ({ body }) => {
      const [row] = body.data;
      Object.assign(row, { state: 2, state_name: 'high_risk', confidence: 5, base_rate: 15 });
      delete row.held_by;
    }),
  },
  {
    what: 'forms of time refused without a word',
    red: ['iso-forms'],
    sabotage: {
      answer: (answer, { path }) => {
        if (/from=\d{8}/.test(path))
          Object.assign(answer, { status: 400, body: { code: 'invalid_request', message: 'bad from' } });
      },
    },
  },
  {
    what: 'a log without its briefings',
    red: ['log-briefings'],
    sabotage: at('/events', ({ body }) => {
      body.data = body.data.filter(({ event }: AnyJson) => event !== 'briefing.published');
    }),
  },
  {
    what: 'a stream without the state',
    red: ['pushed-signal-shape'],
    sabotage: { frame: (frame) => frame.replace(/"state":\d,/, '') },
  },
];
