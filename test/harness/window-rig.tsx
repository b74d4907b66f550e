// Test harness: a window over a memory link: the product's store, channels and queries.
import { notifyManager } from '@tanstack/react-query';
import { act, render, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { onTestFinished, vi } from 'vitest';
import { connect } from '../../renderer/link/connect.ts';
import { followFeatures } from '../../renderer/link/feature-states.ts';
import { createIntents } from '../../renderer/link/intents.ts';
import type { BrowserNotifications } from '../../renderer/notifications/browser-notifications.ts';
import { createChannelQueries } from '../../renderer/queries/channel-queries.ts';
import { createTicker, type Services, ServicesContext } from '../../renderer/services.ts';
import { createIngest } from '../../renderer/store/ingest.ts';
import { createAppStore, StoreContext } from '../../renderer/store/store.ts';
import { type Channels, channels } from '../../shared/channels/channels.ts';
import { createDispatch, createPusher, createWindowEnd, type Handlers } from '../../shared/channels/ends.ts';
import { createMemoryLink } from '../../shared/channels/memory-link.ts';
import type { Change, Snapshot } from '../../shared/channels/state.ts';
import { snapshot as emptySnapshot } from '../fixtures/window-fixtures.ts';
import { createManualClock, settle } from './manual-clock.ts';

// Results exist as soon as the link has answered.
notifyManager.setScheduler(queueMicrotask);

/** Longer than a window waits for the push of an edit, and shows a note, ms. */
const RUN_OUT = 10_000;

export interface WindowRigOptions {
  readonly snapshot?: Snapshot;
  /** Calls that the test does not answer are refused. */
  readonly handlers?: Partial<Handlers<Channels>>;
  readonly browserNotifications?: BrowserNotifications;
  /** Takes a job for the next frame. Default: there is always a frame. */
  readonly request?: (job: () => void) => void;
}

/** Resolves when the window has its snapshot. */
export async function createWindowRig({
  snapshot = emptySnapshot(),
  handlers = {},
  browserNotifications,
  request = (job) => job(),
}: WindowRigOptions = {}) {
  const clock = createManualClock();
  // The cache of queries has no clock of its own.
  const date = vi.spyOn(Date, 'now').mockImplementation(clock.now);
  onTestFinished(() => date.mockRestore());
  /** Calls of the window, oldest first. */
  const calls: { readonly name: string; readonly input: unknown }[] = [];
  let current = snapshot;
  const dispatch = createDispatch(
    channels,
    { 'state.snapshot': () => current, ...handlers } as Handlers<Channels>,
    () => undefined,
  );
  const link = createMemoryLink((name, input) => {
    calls.push({ name, input });
    return dispatch(name, input);
  });
  const store = createAppStore();
  const ingest = createIngest(store, {
    request,
    hidden: () => false,
    after: (ms, job) => void clock.after(ms, job),
    watch: () => undefined,
  });
  const onBad = (problem: string): void => {
    throw new Error(problem);
  };
  const end = createWindowEnd(channels, link.window, onBad);
  const queries = createChannelQueries(end, store, clock);
  const services: Services = {
    clock,
    ticker: createTicker(clock, 1000, { hidden: () => false, watch: () => undefined }),
    ingest,
    browserNotifications: browserNotifications ?? null,
    intents: createIntents(end, ingest),
    queries,
    followFeatures: () => void followFeatures(end, ingest),
  };
  connect({ window: end, ingest, clock, random: () => 0.5 });
  await settle();
  const push = createPusher(channels, link.core);
  let number = snapshot.number;
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <StoreContext value={store}>
      <ServicesContext value={services}>{children}</ServicesContext>
    </StoreContext>
  );
  const idle = (): Promise<void> => act(settle);
  // Some modules wait a moment for the core: without this the next test in this process would begin with what they keep.
  onTestFinished(() => act(() => clock.advance(RUN_OUT)));
  return {
    clock,
    store,
    services,
    link,
    calls,
    /** The inputs of the calls of this name, oldest first. */
    inputs: (name: keyof Channels): unknown[] => calls.filter((call) => call.name === name).map(({ input }) => input),
    push,
    idle,
    async pushChanges(...changes: readonly Change[]): Promise<void> {
      number += 1;
      await act(async () => {
        push('state.changed', { number, changes: [...changes] });
        await settle();
      });
    },
    /** Lets time pass for every user of the window's clock. */
    advance: (ms: number): Promise<void> => act(() => clock.advance(ms)),
    /** Cuts the link, or restores it; the next snapshot continues from the pushes. */
    async setUp(isUp: boolean): Promise<void> {
      current = { ...current, number };
      await act(async () => {
        link.setUp(isUp);
        await settle();
      });
    },
    render: (node: ReactNode) => render(node, { wrapper }),
    renderHook: <Result, Props>(hook: (props: Props) => Result, initialProps: Props) =>
      renderHook(hook, { wrapper, initialProps }),
  };
}
