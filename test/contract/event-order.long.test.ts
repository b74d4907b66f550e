// Contract: ids of events, briefings among them, sort like their numbers at any pace of the world.
import { expect, test } from 'vitest';
import { SANDBOX_START, startSandbox } from '../harness/sandbox.ts';

test('every id sorts after the one before it in the log', { timeout: 60_000 }, async () => {
  const { service, clock, get, trigger } = await startSandbox({
    symbols: 20,
    scenario: 'burst',
    time: { start: SANDBOX_START, speed: 3_600 },
  });
  await clock.advance(12_000);
  for (const event of ['signal.high_risk', 'signal.high_risk', 'briefing.published', 'regime.flip'])
    await trigger(event, 'SPY');
  await clock.advance(2_000);
  const events: { event_id: string; event: string }[] = [];
  for (let after = ''; ; ) {
    const { body } = await get(`/events?limit=100${after}`);
    events.push(...body.data);
    if (!body.has_more) break;
    after = `&after=${body.next_cursor}`;
  }
  await service.close();
  const disordered = events.filter(({ event_id }, index) => event_id <= (events[index - 1]?.event_id ?? ''));
  expect(disordered).toEqual([]);
  expect(events.length).toBeGreaterThan(500);
  expect(events.filter(({ event }) => event === 'briefing.published').length).toBeGreaterThan(1);
});
