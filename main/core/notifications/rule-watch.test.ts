// Test: a rule's problem is notified once, in whatever language, and again with other values.
import { expect, test, vi } from 'vitest';
import { type Message, message } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { setUpLedger } from '../../../test/harness/ledger-bench.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { createRuleWatch } from './rule-watch.ts';

const bench = setUpLedger();

/** Checks in a new run. @returns the ids of the pending notices */
function checkWith(problem: Message): string[] {
  const clock = createManualClock();
  createRuleWatch({
    clock,
    world: { now: () => 0 },
    channelStore: { views: () => [] },
    ruleStore: { views: () => [{ id: 'old', rule: null, problem }] },
    ledger: bench.ledger,
    dispatcher: { wake: () => undefined },
    events: { signal: () => undefined },
  }).check();
  return bench.ledger.notifications.pending(10).map(({ id }) => id);
}

test('once in each run, in any language; another value is another problem', () => {
  const expired = (at: string): Message => message('rule.expired', { at });
  expect(checkWith(expired('2026-03-02'))).toHaveLength(1);
  const spy = vi.spyOn(texts.messages, 'rule.expired').mockReturnValue('Abgelaufen.');
  try {
    expect(checkWith(expired('2026-03-02'))).toHaveLength(1);
    expect(checkWith(expired('2026-03-09'))).toHaveLength(2);
  } finally {
    spy.mockRestore();
  }
});
