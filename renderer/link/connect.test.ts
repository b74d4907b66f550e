// Test: following the core's snapshot and numbered pushes.
import { describe, expect, it } from 'vitest';
import { RefusedError } from '../../shared/channels/channel.ts';
import { type Channels, channels } from '../../shared/channels/channels.ts';
import { createDispatch, createPusher, createWindowEnd, type Handlers } from '../../shared/channels/ends.ts';
import { createMemoryLink } from '../../shared/channels/memory-link.ts';
import type { Change } from '../../shared/channels/state.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { plainMessage, textOf } from '../../shared/text/message.ts';
import { snapshot, T0 } from '../../test/fixtures/window-fixtures.ts';
import { reduce } from '../store/reduce.ts';
import { EMPTY_STATE } from '../store/state.ts';
import { connect } from './connect.ts';

/** Waits for the in-memory link, which needs only promises to answer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** A profile that differs from others by its label. */
const profile = (label: string) => ({ ...snapshot().profile, label: plainMessage(label) });
const labelled = (label: string): Change => ({ part: 'profile', profile: profile(label) });

function rig(take: () => Promise<ReturnType<typeof snapshot>> | ReturnType<typeof snapshot>) {
  const waits: (() => void)[] = [];
  const clock: Clock = {
    now: () => T0,
    after(_ms, job) {
      waits.push(job);
      return () => undefined;
    },
  };
  const requests = { snapshots: 0 };
  // Connecting requests only the snapshot.
  const handlers: Pick<Handlers<Channels>, 'state.snapshot'> = {
    'state.snapshot': () => {
      requests.snapshots += 1;
      return take();
    },
  };
  const link = createMemoryLink(createDispatch(channels, handlers as Handlers<Channels>, () => undefined));
  let state = EMPTY_STATE;
  const window = createWindowEnd(channels, link.window, (problem) => {
    throw new Error(problem);
  });
  const push = createPusher(channels, link.core);
  const stop = connect({
    window,
    ingest: (action) => {
      state = reduce(state, action);
    },
    clock,
    random: () => 0.5,
  });
  const pushCoalesced = (from: number, number: number, label: string): void =>
    push('state.changed', { from, number, changes: [labelled(label)] });
  const pushChange = (number: number, label: string): void =>
    push('state.changed', { number, changes: [labelled(label)] });
  return {
    waited: () => waits.splice(0).map((job) => job()),
    link,
    requests,
    pushChange,
    pushCoalesced,
    stop,
    label: () => state.snapshot && textOf(state.snapshot.profile.label),
    state: () => state,
  };
}

describe('following the core', () => {
  it('applies changes pushed while the snapshot was awaited, and none twice', async () => {
    let answer: (value: ReturnType<typeof snapshot>) => void = () => undefined;
    const { pushChange, label } = rig(() => new Promise((resolve) => (answer = resolve)));
    await settle();
    pushChange(4, 'IWM');
    pushChange(5, 'DIA');
    answer(snapshot({ number: 4, profile: profile('IWM') }));
    await settle();
    expect(label()).toBe('DIA');
    pushChange(5, 'Simulated market');
    expect(label()).toBe('DIA');
    pushChange(6, 'GLD');
    expect(label()).toBe('GLD');
  });

  it('requests the snapshot again when a number is missing', async () => {
    let now = snapshot({ number: 1 });
    const { pushChange, label, requests } = rig(() => now);
    await settle();
    now = snapshot({ number: 7, profile: profile('TLT') });
    pushChange(3, 'QQQ');
    await settle();
    expect([requests.snapshots, label()]).toEqual([2, 'TLT']);
    pushChange(8, 'GLD');
    expect(label()).toBe('GLD');
  });

  it('accepts coalesced pushes as one if none before them is missing', async () => {
    const { pushCoalesced, label, requests } = rig(() => snapshot({ number: 3 }));
    await settle();
    pushCoalesced(2, 5, 'DIA');
    expect(label()).toBe('DIA');
    pushCoalesced(6, 9, 'GLD');
    expect(label()).toBe('GLD');
    pushCoalesced(4, 9, 'IWM');
    expect([label(), requests.snapshots]).toEqual(['GLD', 1]);
    pushCoalesced(11, 12, 'IWM');
    await settle();
    expect(requests.snapshots).toBe(2);
  });
  it('shows why a snapshot was refused, and requests it again', async () => {
    let refuse = true;
    const { waited, state } = rig(() => {
      if (refuse) throw new RefusedError({ code: 'refused', message: plainMessage('The ledger is being repaired.') });
      return snapshot();
    });
    await settle();
    expect([state().snapshot, state().problem]).toEqual([null, 'The ledger is being repaired.']);
    refuse = false;
    waited();
    await settle();
    expect([state().snapshot?.profile.label, state().problem]).toEqual([plainMessage('Simulated market'), null]);
  });

  it('reports that the core is gone, and starts over when it is back', async () => {
    let number = 1;
    const { link, state, requests, pushChange, label } = rig(() => snapshot({ number }));
    await settle();
    link.setUp(false);
    expect(state().link).toBe('down');
    number = 40;
    link.setUp(true);
    await settle();
    expect([state().link, requests.snapshots]).toEqual(['up', 2]);
    pushChange(41, 'GLD');
    expect(label()).toBe('GLD');
  });

  it('does not show the state from before as current while the snapshot is awaited or refused', async () => {
    let refuse = false;
    const { link, state, waited, pushChange } = rig(() => {
      if (refuse) throw new RefusedError({ code: 'refused', message: plainMessage('The ledger is being repaired.') });
      return snapshot();
    });
    await settle();
    link.setUp(false);
    refuse = true;
    link.setUp(true);
    const awaited = state().link;
    await settle();
    expect([awaited, state().link, state().problem]).toEqual(['down', 'down', 'The ledger is being repaired.']);
    refuse = false;
    waited();
    await settle();
    expect([state().link, state().problem]).toEqual(['up', null]);
    // A missing number.
    refuse = true;
    pushChange(9, 'GLD');
    await settle();
    expect(state().link).toBe('down');
    refuse = false;
    waited();
    await settle();
    expect(state().link).toBe('up');
  });

  it('receives nothing after cancellation', async () => {
    const { stop, pushChange, label } = rig(() => snapshot());
    await settle();
    stop();
    pushChange(2, 'GLD');
    expect(label()).toBe('Simulated market');
  });
});
