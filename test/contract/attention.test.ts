// Test: badge, tab, tray and title are equal in every state, over random events, prices and acts.
// A notified High Risk or price alert leaves them only when a person has dealt with it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { waitingIn } from '../../main/core/views/tray-view.ts';
import { trayText } from '../../main/electron/tray.ts';
import { inboxGroups, waitingLocal } from '../../renderer/features/inbox/groups.ts';
import { reduce } from '../../renderer/store/reduce.ts';
import { type AppState, EMPTY_STATE } from '../../renderer/store/state.ts';
import { NumberedChangesSchema } from '../../shared/channels/state.ts';
import { riskOrder } from '../../shared/domain/risk-order.ts';
import type { State } from '../../shared/domain/states.ts';
import { texts } from '../../shared/text/texts.ts';
import { calls, iso, minutes, rule } from '../harness/alert-calls.ts';
import { setUpCoreBench } from '../harness/core-bench.ts';
import type { CoreRig } from '../harness/core-rig.ts';

const titleWith = (waiting: number): string =>
  texts.common.documentTitle({
    name: 'sandbox',
    environment: 'sandbox',
    replay: false,
    connection: 'online',
    page: 'Watch',
    waiting,
  });

const bench = setUpCoreBench();
const SYMBOLS = ['SPY', 'QQQ', 'IWM'];

const LEVEL = 100;
const DIP = rule({
  id: 'dip',
  name: 'Dip',
  events: ['price.crossed'],
  min_state: 0,
  price: { kind: 'level', direction: 'below', level: LEVEL },
  scope: { kind: 'symbols', symbols: SYMBOLS },
});

type Step =
  | { readonly kind: 'price'; readonly symbol: number; readonly isBelow: boolean }
  | { readonly kind: 'emit'; readonly symbol: number; readonly state: State }
  | { readonly kind: 'acknowledge' | 'take_back' | 'snooze'; readonly nth: number }
  | { readonly kind: 'restart' | 'close' | 'open' | 'seen' | 'wait' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('emit' as const),
      symbol: fc.nat({ max: SYMBOLS.length - 1 }),
      state: fc.constantFrom<State>(0, 1, 2),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('price' as const),
      symbol: fc.nat({ max: SYMBOLS.length - 1 }),
      isBelow: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('acknowledge' as const, 'take_back' as const, 'snooze' as const),
      nth: fc.nat({ max: 9 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('restart' as const, 'close' as const, 'open' as const, 'seen' as const, 'wait' as const),
    }),
  },
);

interface OpenWindow {
  read(): AppState;
  close(): void;
}

/** A window that takes the snapshot once, and then pushes alone. */
function openWindow(rig: CoreRig): OpenWindow {
  let state = EMPTY_STATE;
  const close = rig.core.attach({
    push(name, payload) {
      if (name !== 'state.changed') return;
      const { changes } = NumberedChangesSchema.parse(payload);
      state = reduce(state, { kind: 'changes', changes, at: 0 });
    },
  });
  state = reduce(state, { kind: 'snapshot', snapshot: rig.snapshot(), at: 0 });
  return { read: () => state, close };
}

const sorted = (ids: readonly number[]): number[] => [...ids].sort((a, b) => a - b);

/** The ids that the inbox and its tab count; tray and title as text. */
async function shownBy(rig: CoreRig, { snapshot }: AppState) {
  if (snapshot === null) throw new Error('the window has no snapshot');
  const { mutes } = await calls(rig)['alerting.read']({});
  const needing = [
    ...inboxGroups(
      snapshot.alerts,
      snapshot.rows,
      mutes,
      riskOrder([], () => undefined),
    ).needsYou.map(({ alert }) => alert),
    ...waitingLocal(snapshot.local_alerts),
  ];
  const view = rig.core.trayView();
  return {
    ids: sorted(needing.map(({ ledger_id }) => ledger_id)),
    trayIds: sorted(view.needsAttention),
    badge: waitingIn([view]),
    tray: Number(/(\d+) not acknowledged/.exec(trayText(view))?.[1] ?? 0),
    title: Number(/^\((\d+)\)/.exec(titleWith(needing.length))?.[1] ?? 0),
    tab: needing.length,
  };
}

/**
 * What must still need attention: by symbol, its newest High Risk, and by its name in `PRICE_OF` its newest price alert,
 * until somebody dealt with it.
 */
type Unhandled = Map<string, number>;
const PRICE_OF = (symbol: string): string => `price of ${symbol}`;

async function start(): Promise<CoreRig> {
  for (const symbol of SYMBOLS) bench.service.prices.set(symbol, { price: LEVEL + 10, change_pct: 0 });
  const rig = await bench.up();
  rig.detach();
  await calls(rig)['rules.save']({ rule: DIP });
  await bench.clock.advance(2_500);
  return rig;
}

async function live(steps: readonly Step[]): Promise<void> {
  let rig = await start();
  let window: OpenWindow | null = openWindow(rig);
  const unhandled: Unhandled = new Map();
  const alerts = () => rig.snapshot().alerts;
  const crossings = () => rig.snapshot().local_alerts;
  const symbolOf = (id: number): string =>
    alerts().find(({ ledger_id }) => ledger_id === id)?.transition.symbol ?? 'unknown';
  const forgetAbout = (id: number): void => {
    for (const [name, unhandledId] of unhandled) if (unhandledId === id) unhandled.delete(name);
  };
  /** The newest replaces the earlier ones in any case; while something is muted it may not be notified. */
  const happened = async (name: string, id: number): Promise<void> => {
    const { mutes } = await calls(rig)['alerting.read']({});
    if (mutes.length === 0) unhandled.set(name, id);
    else unhandled.delete(name);
  };
  const take = async (one: Step): Promise<void> => {
    switch (one.kind) {
      case 'emit': {
        const symbol = SYMBOLS[one.symbol] ?? '';
        const { event_id } = bench.service.emit(symbol, one.state);
        await bench.clock.advance(11_000);
        const id = alerts().find(({ transition }) => transition.event_id === event_id)?.ledger_id;
        if (one.state === 2 && id !== undefined) await happened(symbol, id);
        return;
      }
      case 'price': {
        const symbol = SYMBOLS[one.symbol] ?? '';
        const before = crossings()[0]?.ledger_id ?? 0;
        bench.service.prices.set(symbol, { price: one.isBelow ? LEVEL - 1 : LEVEL + 10, change_pct: 0 });
        await bench.clock.advance(11_000);
        const [newest] = crossings();
        if (newest !== undefined && newest.ledger_id > before) await happened(PRICE_OF(symbol), newest.ledger_id);
        return;
      }
      case 'acknowledge':
      case 'take_back':
      case 'snooze': {
        const all = [...alerts(), ...crossings()].sort((a, b) => b.ledger_id - a.ledger_id);
        const id = all[one.nth % Math.max(1, all.length)]?.ledger_id;
        if (id === undefined) return;
        if (one.kind === 'snooze') {
          const at = iso(bench.clock.now() + minutes(1));
          const isTaken = await Promise.resolve()
            .then(() => calls(rig)['alerts.snooze']({ ledger_ids: [id], until: { kind: 'time', at } }))
            .then(() => true)
            .catch(() => false);
          // It holds back everything of its symbol.
          if (isTaken) for (const name of [symbolOf(id), PRICE_OF(symbolOf(id))]) unhandled.delete(name);
        } else {
          await calls(rig)['alerts.acknowledge']({ ledger_ids: [id], acknowledged: one.kind === 'acknowledge' });
          if (one.kind === 'acknowledge') forgetAbout(id);
        }
        return;
      }
      case 'restart':
        window?.close();
        await bench.down(rig);
        rig = await start();
        window = openWindow(rig);
        return;
      case 'close':
        window?.close();
        window = null;
        return;
      case 'open':
        window ??= openWindow(rig);
        return;
      case 'seen': {
        const { downtime } = await calls(rig)['alerting.read']({});
        await calls(rig)['downtime.acknowledge']({});
        if (downtime !== null)
          for (const { ledger_id, acked_at } of [...alerts(), ...crossings()])
            if (acked_at !== null) forgetAbout(ledger_id);
        return;
      }
      case 'wait':
        await bench.clock.advance(minutes(2));
    }
  };
  for (const one of steps) {
    await take(one);
    await bench.clock.advance(600);
    const taken = openWindow(rig);
    const fresh = await shownBy(rig, taken.read());
    taken.close();
    if (window !== null) expect(await shownBy(rig, window.read())).toEqual(fresh);
    const { ids, trayIds, ...counts } = fresh;
    expect(ids).toEqual(trayIds);
    expect(counts).toEqual({ badge: ids.length, tray: ids.length, title: ids.length, tab: ids.length });
    expect(ids).toEqual(expect.arrayContaining([...unhandled.values()]));
  }
  await bench.down(rig);
}

test('badge, tab, tray and title are equal in every state, and nothing leaves unhandled', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      bench.fresh();
      await live(steps);
    }),
    { numRuns: Number(process.env.BAROGRAPH_SAMPLES ?? 3) },
  );
});
