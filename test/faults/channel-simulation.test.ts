// Test: under random faults of channels, each High Risk reaches a phone or is escalated; no answer is lost.
// Each has one id. Prints a failing seed.
import { expect, test } from 'vitest';
import { casesOf } from '../harness/run-length.ts';
import { type ChannelMutant, liveWithChannels } from './channel-simulation.ts';
import { budgetOf, FIRST_SEED } from './simulation-budget.ts';

const budget = budgetOf('channels', casesOf(20, 2));
test(`lives with channels from seed ${FIRST_SEED} on`, { timeout: budget.timeout }, async ({ task }) => {
  const count = { seeds: 0, stops: 0, messages: 0, answers: 0 };
  for (const seed of budget.seeds()) {
    const life = await liveWithChannels(seed);
    expect({ seed, broken: life.broken }).toEqual({ seed, broken: [] });
    count.seeds += 1;
    count.stops += life.stops;
    count.messages += life.accepted;
    count.answers += life.answered;
  }
  task.meta.attempts = count;
  console.log(`simulated lives with channels: ${JSON.stringify(count)}, from seed ${FIRST_SEED} on`);
  expect(Math.min(count.stops, count.messages, count.answers)).toBeGreaterThan(0);
});

// Its step had reached nobody before all of it was over, and an alert joined later.
test('the life of seed 91002520 escalates what joins a notification after its step was dropped', async () => {
  expect((await liveWithChannels(91_002_520)).broken).toEqual([]);
});

test.each<[ChannelMutant, string]>([
  ['no-escalation', 'not escalated'],
  ['no-second-attempt', 'no message'],
  ['forgets-answers', 'the answer is lost'],
])('a core with %s is found', { tags: ['long'], timeout: 300_000 }, async (mutant, found) => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const { broken } = await liveWithChannels(seed, mutant);
    if (broken.some((promise) => promise.includes(found))) return;
  }
  expect.fail(`100 lives did not show ${mutant}`);
});
