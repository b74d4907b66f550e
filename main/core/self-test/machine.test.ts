// Test: the machine of the self-test alone: events in, states and effects out.
import { expect, test } from 'vitest';
import { err, ok } from '../../../shared/lib/result.ts';
import { message, plainMessage, textOf } from '../../../shared/text/message.ts';
import { begin, type Machine, type MachineEvent, next, type Observation } from './machine.ts';
import type { SendResult } from './sender.ts';

const BEGUN = Date.parse('2026-03-02T14:30:00.000Z');
const NOTHING: Observation = { entry: null, notification: null };
const TRIGGERED: SendResult = {
  method: 'trigger',
  eventId: 'evt_1',
  detail: message('self_test.repeated'),
  stream: { outcome: 'waits', detail: null },
  webhook: { outcome: 'waits', detail: null },
};

type WithoutTime<Event> = Event extends unknown ? Omit<Event, 'at'> : never;
type TimedEvent = readonly [ms: number, event: WithoutTime<MachineEvent>];

/** Runs events through the machine, each `ms` after the beginning. @returns the last state and all effects */
function run(...events: readonly TimedEvent[]) {
  let [machine, effects] = begin('SPY', BEGUN);
  for (const [ms, event] of events) {
    const [after, more] = next(machine, { ...event, at: BEGUN + ms });
    machine = after;
    effects = [...effects, ...more];
  }
  return { machine, effects: effects.map(({ type }) => type) };
}
const outcomes = ({ test: { steps } }: Machine): string => steps.map(({ outcome }) => outcome[0]).join('');
const sent = [0, { type: 'sent', result: ok(TRIGGERED) }] as const;
const observed = (ms: number, observation: Partial<Observation> = {}) =>
  [ms, { type: 'observed', ...NOTHING, ...observation }] as const;
const arrived = observed(100, { entry: { ledgerId: 7, sources: ['stream', 'relay'] } });
const evaluated = [100, { type: 'evaluated', isNotified: true, why: plainMessage('the rule High Risk') }] as const;
const shown = observed(200, { notification: { outcome: 'shown', detail: null } });

test('a test that passes writes its trace, evaluates the rules, notifies, and waits for a person', () => {
  const { machine, effects } = run(sent, arrived, evaluated, shown);
  expect(effects).toEqual(['send', 'trace', 'evaluate', 'notify']);
  expect(outcomes(machine)).toBe('pppppppw');
  const [acknowledged] = next(machine, {
    type: 'acknowledged',
    detail: message('self_test.acknowledged_here'),
    at: BEGUN + 300,
  });
  const [ended] = next(acknowledged, { type: 'observed', ...NOTHING, at: BEGUN + 300 });
  expect(ended.test).toMatchObject({ ended_at: '2026-03-02T14:30:00.300Z', message: message('self_test.passed') });
});

test('an observation without news changes neither state nor step, and has no effect', () => {
  const { machine } = run(sent, observed(0));
  const [after, effects] = next(machine, { type: 'observed', ...NOTHING, at: BEGUN + 1_000 });
  expect(after.test).toBe(machine.test);
  expect(effects).toEqual([]);
});

test('sources have 15 s, the desktop 20 s, a person 5 minutes; a clock that is set back restarts the time', () => {
  expect(outcomes(run(sent, observed(0), observed(14_999)).machine)).toBe('pwwwwwww');
  expect(outcomes(run(sent, observed(0), observed(15_000)).machine)).toBe('pfffssss');
  expect(outcomes(run(sent, observed(0), observed(-60_000), observed(-45_001)).machine)).toBe('pwwwwwww');
  const waiting = [sent, arrived, evaluated, observed(100)] as const;
  expect(outcomes(run(...waiting, observed(20_099)).machine)).toBe('pppppwww');
  expect(run(...waiting, observed(20_100))).toMatchObject({
    effects: ['send', 'trace', 'evaluate', 'notify', 'withdraw'],
  });
  const seen = [sent, arrived, evaluated, shown] as const;
  expect(outcomes(run(...seen, observed(300_199)).machine)).toBe('pppppppw');
  expect(outcomes(run(...seen, observed(300_200)).machine)).toBe('pppppppf');
});

test('a step that fails (not sent, not notified, not written) stops the test there', () => {
  expect(outcomes(run([0, { type: 'sent', result: err(plainMessage('no answer')) }]).machine)).toBe('fsssssss');
  const kept = run(sent, arrived, [100, { type: 'evaluated', isNotified: false, why: plainMessage('muted') }]);
  expect(outcomes(kept.machine)).toBe('ppppfsss');
  expect(textOf(kept.machine.test.message)).toBe('You would not have been notified. muted');
  const full = run(sent, arrived, [100, { type: 'ledgerFailed', why: plainMessage('disk full') }]);
  expect(outcomes(full.machine)).toBe('ppppfsss');
});

test('a repeated event must arrive: its entry was already in the ledger', () => {
  const result = ok({ ...TRIGGERED, method: 'repeat', stream: { outcome: 'skipped', detail: null } } as const);
  const entry = { ledgerId: 7, sources: ['poll'] };
  const repeated = [0, { type: 'sent', result }] as const;
  const { machine, effects } = run(repeated, observed(0, { entry }), observed(15_000, { entry }));
  expect(outcomes(machine)).toBe('psfsssss');
  expect(effects).toEqual(['send', 'withdraw']);
});

test('a restart continues a sent test, and ends a test that is old or may not have been sent', () => {
  const again = (at: number, ...events: readonly TimedEvent[]) => run(...events, [at, { type: 'resumed' }]);
  expect(outcomes(again(60_000, sent, arrived, evaluated).machine)).toBe('pppppwww');
  expect(outcomes(again(600_001, sent, arrived, evaluated).machine)).toBe('pppppfss');
  expect(outcomes(again(-1, sent, arrived, evaluated).machine)).toBe('pppppfss');
  expect(outcomes(again(1_000).machine)).toBe('fsssssss');
});

test('a test that has ended does not change', () => {
  const { machine } = run([0, { type: 'sent', result: err(plainMessage('no answer')) }]);
  for (const [ms, event] of [sent, arrived, evaluated, shown])
    expect(next(machine, { ...event, at: BEGUN + ms })).toEqual([machine, []]);
});
