// Test: every link between window and core passes one table of cases.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { saying } from '../harness/saying.ts';
import { electronRig } from './electron-rig.ts';
import { memoryRig } from './memory-rig.ts';
import { ends, type LinkRig, until } from './rig.ts';
import { socketRig } from './socket-rig.ts';

const RIGS: Readonly<Record<string, () => Promise<LinkRig>>> = {
  memory: memoryRig,
  socket: socketRig,
  electron: electronRig,
};

describe.each(Object.entries(RIGS))('%s link', (_name, createRig) => {
  let rig: LinkRig;
  beforeEach(async () => {
    rig = await createRig();
  });
  afterEach(() => rig.close());

  test('a call is answered', { tags: ['long'] }, async () => {
    expect(await ends(rig.window).call('test.echo', { text: 'SPY “€” \u2028' })).toEqual({ text: 'SPY “€” \u2028' });
  });

  test('a name that is not in the table is refused and runs nothing', async () => {
    for (const name of ['test.nothing', 'test.pushed', 'constructor', '__proto__', '']) {
      const answer = await rig.window
        .call(name, {})
        .catch((error: Error) => ({ ok: false, error: { message: error.message } }));
      expect(answer).toMatchObject({ ok: false });
    }
    expect(rig.core.faults).toEqual([]);
  });

  test('bad input is refused with what and where', async () => {
    for (const payload of [{ text: 3 }, { text: 'a', more: 1 }, {}, null, undefined, 'text', []]) {
      const answer = await rig.window.call('test.echo', payload);
      expect(answer).toMatchObject({
        ok: false,
        error: { code: 'bad_input', message: saying(/^test\.echo: /) },
      });
    }
  });

  test('bad output never reaches the window, and the core gets the error', async () => {
    expect(await rig.window.call('test.lie', {})).toMatchObject({ ok: false, error: { code: 'bad_output' } });
    expect(rig.core.faults).toEqual(['test.lie']);
  });

  test('a refusal comes as a message', async () => {
    await expect(ends(rig.window).call('test.refuse', {})).rejects.toMatchObject({
      refusal: { code: 'refused' },
      message: 'SPY is not watched.',
    });
    expect(rig.core.faults).toEqual([]);
  });

  test('a handler that fails is reported, and the next call works', async () => {
    await expect(ends(rig.window).call('test.fail', {})).rejects.toMatchObject({
      refusal: { code: 'failed' },
      message: 'the ledger is closed',
    });
    expect(rig.core.faults).toEqual(['test.fail']);
    expect(await ends(rig.window).call('test.echo', { text: 'on' })).toEqual({ text: 'on' });
  });

  test('pushes come in order, to every listener, until it is cancelled', async () => {
    const window = ends(rig.window);
    const first: number[] = [];
    const second: number[] = [];
    const cancel = window.subscribe('test.pushed', ({ number }) => {
      first.push(number);
      if (number === 99) cancel();
    });
    window.subscribe('test.pushed', ({ number }) => second.push(number));
    for (let number = 0; number < 200; number++) rig.core.send(number);
    const all = Array.from({ length: 200 }, (_, number) => number);
    await eventually(() => expect(second).toEqual(all));
    expect(first).toEqual(all.slice(0, 100));
  });

  test('a push that does not fit its schema is dropped and reported', async () => {
    const bad: string[] = [];
    const received: number[] = [];
    ends(rig.window, bad).subscribe('test.pushed', ({ number }) => received.push(number));
    rig.core.sendRaw('test.pushed', { number: 'three' });
    rig.core.send(4);
    await eventually(() => expect(received).toEqual([4]));
    expect(bad).toEqual([expect.stringContaining('push test.pushed does not fit: number')]);
  });

  test('concurrent calls get their own answers, in any order', async () => {
    const window = ends(rig.window);
    const calls = [1, 2, 3].map((order) => window.call('test.slow', { order }));
    await eventually(() => expect(rig.core.slow).toHaveLength(3));
    for (const answer of rig.core.slow.reverse()) answer();
    expect(await Promise.all(calls)).toEqual([{ order: 1 }, { order: 2 }, { order: 3 }]);
  });

  test('while the link is cut calls answer `disconnected`; afterwards calls and pushes work again', async () => {
    const seen: boolean[] = [];
    rig.window.watch((up) => seen.push(up));
    const received: number[] = [];
    ends(rig.window).subscribe('test.pushed', ({ number }) => received.push(number));

    await rig.cut();
    await eventually(async () => {
      expect(await rig.window.call('test.echo', { text: 'x' })).toMatchObject({
        ok: false,
        error: { code: 'disconnected' },
      });
    });
    rig.core.send(1);

    await rig.restore();
    const back = until(rig.window, true);
    await eventually(async () => expect(await rig.window.call('test.echo', { text: 'x' })).toMatchObject({ ok: true }));
    await back;
    rig.core.send(2);
    await eventually(() => expect(received).toEqual([2]));
    expect(seen).toEqual([true, false, true]);
    expect(rig.core.attached).toBe(1);
  });

  test('a call that is under way when the link is cut does not hang', async () => {
    const call = rig.window.call('test.slow', { order: 1 });
    await eventually(() => expect(rig.core.slow).toHaveLength(1));
    await rig.cut();
    rig.core.slow[0]?.();
    const answer = await call;
    // A link in one process may still bring the answer; a socket that is gone cannot.
    expect(answer.ok || answer.error.code === 'disconnected').toBe(true);
    await rig.restore();
  });

  test('other windows get no answer and no push', async () => {
    for (const stranger of rig.strangers) {
      const window = await stranger.open();
      const received: unknown[] = [];
      window.subscribe('test.pushed', (payload) => received.push(payload));
      const before = rig.core.calls.length;
      // Time enough to connect: our own window gets its answer meanwhile.
      for (let turn = 0; turn < 5; turn++) {
        expect(await window.call('test.echo', { text: 'let me in' }), stranger.name).toMatchObject({ ok: false });
        rig.core.send(turn);
        await rig.window.call('test.echo', { text: 'own' });
      }
      expect(rig.core.calls.length, stranger.name).toBe(before + 5);
      if (stranger.name !== 'a frame inside our page') expect(received, stranger.name).toEqual([]);
    }
  });
});
