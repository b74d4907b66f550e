// Test: how long a window waits for an answer.
import { expect, test } from 'vitest';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { MINUTE_MS } from '../lib/time.ts';
import { message } from '../text/message.ts';
import { CALL_LIMIT } from './channel.ts';
import { createWindowEnd } from './ends.ts';
import type { WindowLink } from './link.ts';
import { createPendingCalls, disconnected } from './pending-calls.ts';
import { profileChannels } from './profiles.ts';

/** A link whose core never answers. */
function silentWindow() {
  const clock = createManualClock();
  const calls = createPendingCalls(clock, disconnected(message('link.gone')));
  const link: WindowLink = {
    call: (_name, _payload, limit = CALL_LIMIT) => calls.call(limit, () => undefined),
    subscribe: () => () => undefined,
    watch: () => () => undefined,
  };
  return { clock, window: createWindowEnd(profileChannels, link, () => undefined) };
}

test('a call without an answer is given up after 30 s, and what was asked for may still be done', async () => {
  const { clock, window } = silentWindow();
  const asked = expect(window.call('profiles.read', {})).rejects.toThrow(
    'Barograph did not answer within 30 seconds. It may still do what you asked for.',
  );
  await clock.advance(CALL_LIMIT);
  await asked;
});

test('a folder of prices may take minutes: it is waited for', async () => {
  const { clock, window } = silentWindow();
  const source = { kind: 'prices', folder: '/prices', editorial: null, replay: null } as const;
  let isOver = false;
  const asked = window.call('profiles.add', { name: 'mine', source }).catch(() => {
    isOver = true;
  });
  await clock.advance(9 * MINUTE_MS);
  expect(isOver).toBe(false);
  await clock.advance(MINUTE_MS);
  await asked;
  expect(isOver).toBe(true);
});
