// Test: the announcements to screen readers, and their order.
import { expect, test } from 'vitest';
import type { Alert, Change } from '../../../shared/channels/state.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import { alert, connection, iso, snapshot, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { Speaker } from './speaker.tsx';

/** How long each announcement stays, ms. */
const HOLD = 1500;

const high = (symbol: string, id: number, confidence: number): Alert => {
  const { transition: change, ...rest } = alert(transition(symbol, 1, 2, T0 + id), id);
  return { ...rest, transition: { ...change, confidence } };
};

async function open() {
  const rig = await createWindowRig({ snapshot: snapshot() });
  const { container } = rig.render(<Speaker />);
  await rig.idle();
  return {
    push: (...changes: Change[]) => rig.pushChanges(...changes),
    /** Every text until nothing more is spoken. */
    async heard(): Promise<string[]> {
      const texts: string[] = [];
      for (let text = container.textContent; text !== ''; text = container.textContent) {
        texts.push(text);
        await rig.advance(HOLD);
      }
      return texts;
    },
  };
}

test('two alerts are spoken one after the other', async () => {
  const { push, heard } = await open();
  await push({ part: 'alerts', alerts: [high('SPY', 1, 40), high('QQQ', 2, 40)] });
  const texts = await heard();
  expect(texts).toHaveLength(2);
  expect(texts.join()).toMatch(/High Risk, S P Y, .*High Risk, Q Q Q, /);
});

test('a High Risk that rests on a price in question is spoken as one', async () => {
  const { push, heard } = await open();
  const { transition: change, ...rest } = high('SPY', 1, 40);
  await push({ part: 'alerts', alerts: [{ ...rest, transition: { ...change, in_question: 'open' } }] });
  expect(await heard()).toEqual(['High Risk, S P Y, if its price is right. It needs a decision.']);
});

test('a start is spoken once, its failure as an outage', async () => {
  const { push, heard } = await open();
  const of = (cause: Message): Change => ({
    part: 'connection',
    connection: connection({ outage: { since: iso(T0), cause } }),
  });
  const starting = (done: number) =>
    of(
      message('service.starting', {
        progress: message('work.progress', { what: 'reading', done, total: 500, left: null }),
      }),
    );
  await push(starting(1));
  await push(starting(400));
  await push(of(message('service.not_started', { why: 'no disk' })));
  expect(await heard()).toEqual([
    expect.stringMatching(/^The service starts\. Reading price files: 1 of 500 files/),
    expect.stringMatching(/^Not receiving data since .* no disk\./),
  ]);
});

test('from the third on, alerts are spoken as one announcement: how many, and the worst', async () => {
  const { push, heard } = await open();
  await push({ part: 'alerts', alerts: [high('SPY', 1, 40), high('QQQ', 2, 47), high('IWM', 3, 41)] });
  expect(await heard()).toEqual(['3 turned High Risk, worst Q Q Q.']);
});

test('what gathers while another is spoken is one announcement, without what is over or acknowledged', async () => {
  const { push, heard } = await open();
  await push({ part: 'alerts', alerts: [high('SPY', 1, 40)] });
  const acknowledged = high('TLT', 6, 50);
  await push({
    part: 'alerts',
    alerts: [high('QQQ', 2, 47), high('IWM', 3, 41), high('GLD', 4, 41), high('EEM', 5, 49), acknowledged],
  });
  await push({
    part: 'alerts',
    alerts: [{ ...acknowledged, acked_at: iso(T0) }, alert(transition('EEM', 2, 0, T0 + 60_000), 7)],
  });
  const [first, ...others] = await heard();
  expect(first).toMatch(/^High Risk, S P Y, /);
  expect(others).toEqual(['3 turned High Risk, worst Q Q Q.']);
});

test('the end of an outage is spoken', async () => {
  const { push, heard } = await open();
  const outage = { since: iso(T0), cause: plainMessage('The service is gone.') };
  await push({ part: 'connection', connection: connection({ outage }) });
  await push({ part: 'connection', connection: connection() });
  const texts = await heard();
  expect(texts[0]).toMatch(/^Not receiving data since .* The service is gone\.$/);
  expect(texts.slice(1)).toEqual(['Receiving data again.']);
});
