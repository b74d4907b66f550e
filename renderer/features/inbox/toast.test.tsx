// Test: alerts that the window announces, and the menu of snooze durations.
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Alert, PriceAlert } from '../../../shared/channels/state.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import {
  alert,
  connection,
  iso,
  priceAlert,
  row,
  snapshot,
  T0,
  transition,
} from '../../../test/fixtures/window-fixtures.ts';
import { fakeBrowserNotifications } from '../../../test/harness/fake-browser-notifications.ts';
import { createWindowRig, type WindowRigOptions } from '../../../test/harness/window-rig.tsx';
import { goTo } from '../../store/route.ts';
import { SnoozeMenu } from './snooze-menu.tsx';
import { Toast } from './toast.tsx';

const high = (symbol: string, id: number): Alert =>
  alert(transition(symbol, 1, 2, T0 - id * 60_000), id, {
    dispatch: { notification_id: `n:${id}`, outcome: 'in_app', at: iso(T0), detail: null },
  });

async function open(node: ReactNode, alerts: Alert[]) {
  const rig = await createWindowRig({
    snapshot: snapshot({
      rows: [row('SPY', 2), row('QQQ', 2)],
      alerts,
    }),
    handlers: {
      'alerts.acknowledge': () => ({}),
      'alerts.snooze': () => ({}),
      'alerts.clicked': () => ({ route: null }),
    } as never,
  });
  rig.render(node);
  await rig.idle();
  return rig;
}

beforeEach(() => goTo({ page: 'watch', item: null }));

test('the newest alert is named, the others are listed; one button acknowledges them all', async () => {
  const rig = await open(<Toast />, [high('SPY', 1), high('QQQ', 2)]);
  const toast = screen.getByRole('region', { name: 'SPY is High Risk' });
  expect(toast.textContent).toMatch(/Also needing attention: QQQ/);
  await userEvent.click(screen.getByRole('button', { name: 'Acknowledge 2' }));
  await rig.idle();
  expect(rig.inputs('alerts.acknowledge')).toEqual([{ ledger_ids: [1, 2], acknowledged: true }]);
});

test('a state that rests on a price in question is named as one, and its withdrawal with the reason', async () => {
  const { transition: change, ...rest } = high('SPY', 1);
  const asked: Alert = { ...rest, transition: { ...change, in_question: 'open' } };
  await open(<Toast />, [asked]);
  expect(screen.getByRole('region', { name: 'SPY is High Risk, if its price is right' })).toBeDefined();
  cleanup();
  const withdrawn = { in_question: 'withdrawn', note: 'High Risk is withdrawn: it was a split.' } as const;
  await open(<Toast />, [{ ...high('QQQ', 2), transition: { ...transition('QQQ', 2, 0, T0), ...withdrawn } }]);
  const toast = screen.getByRole('region', { name: 'QQQ: High Risk is withdrawn' });
  expect(toast.textContent).toContain('it was a split');
});

test('a burst is named as its notification is: how many, and the worst', async () => {
  const joined = (symbol: string, id: number, confidence: number): Alert => {
    const { transition: change, dispatch, ...rest } = high(symbol, id);
    const named = dispatch === null ? null : { ...dispatch, notification_id: 'n:many' };
    return { ...rest, transition: { ...change, confidence }, dispatch: named };
  };
  await open(<Toast />, [joined('SPY', 1, 30), joined('QQQ', 2, 46.1), joined('IWM', 3, 40)]);
  const toast = screen.getByRole('region', { name: '3 turned High Risk, worst QQQ' });
  expect(toast.textContent).toContain('36 % chance of a fall within 21 sessions');
  expect(toast.textContent).toMatch(/Also needing attention: IWM .*, SPY /);
});

test('a replay says so, in the place of production', async () => {
  const rig = await createWindowRig({
    snapshot: snapshot({
      profile: { name: 'replay20', environment: 'production', replay: true, label: plainMessage('') },
      rows: [row('SPY', 2)],
      alerts: [high('SPY', 1)],
    }),
  });
  rig.render(<Toast />);
  await rig.idle();
  expect(screen.getByText('REPLAY')).toBeDefined();
});

test('dismissed, it goes and acknowledges nothing', async () => {
  const rig = await open(<Toast />, [high('SPY', 3)]);
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  await rig.idle();
  expect(screen.queryByRole('region')).toBeNull();
  expect(rig.inputs('alerts.acknowledge')).toEqual([]);
});

const crossed = (id: number, more: Partial<PriceAlert> = {}): PriceAlert =>
  priceAlert('QQQ', id, {
    dispatch: { notification_id: `n:price:${id}`, outcome: 'failed', at: iso(T0), detail: null },
    ...more,
  });

describe('a price alert', () => {
  const openPrices = async (local_alerts: PriceAlert[], alerts: Alert[] = [], more: WindowRigOptions = {}) => {
    const rig = await createWindowRig({
      ...more,
      snapshot: snapshot({ rows: [row('SPY', 2), row('QQQ', 0)], alerts, local_alerts }),
      handlers: {
        'alerts.acknowledge': () => ({}),
        'alerts.shown': () => ({}),
        'alerts.clicked': () => ({ route: null }),
      },
    });
    rig.render(<Toast />);
    await rig.idle();
    return rig;
  };

  test('that the desktop has not taken is announced, and reported as shown once', async () => {
    const rig = await openPrices([crossed(2), crossed(1, { needs_attention: false })]);
    const toast = screen.getByRole('region', { name: 'QQQ is at 179.90, at or below 180.00' });
    expect(toast.textContent).toContain('1 other ended.');
    expect(rig.inputs('alerts.shown')).toEqual([{ notification_id: 'n:price:2' }, { notification_id: 'n:price:1' }]);
    await userEvent.click(screen.getByRole('button', { name: 'Acknowledge' }));
    await rig.idle();
    expect(rig.inputs('alerts.acknowledge')).toEqual([{ ledger_ids: [2], acknowledged: true }]);
    expect(rig.inputs('alerts.shown')).toHaveLength(2);
  });

  test('is reported by a window behind others only where no browser shows it, else once it is in front', async () => {
    const inFront = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    onTestFinished(() => inFront.mockRestore());
    const denied = await openPrices([crossed(2)], [], { browserNotifications: fakeBrowserNotifications('denied') });
    expect(denied.inputs('alerts.shown')).toHaveLength(1);
    const granted = await openPrices([crossed(2)], [], { browserNotifications: fakeBrowserNotifications('granted') });
    expect(granted.inputs('alerts.shown')).toEqual([]);
    inFront.mockReturnValue(true);
    act(() => void window.dispatchEvent(new Event('focus')));
    await granted.idle();
    expect(granted.inputs('alerts.shown')).toHaveLength(1);
  });

  test.each<[string, Partial<PriceAlert>]>([
    ['was acknowledged', { acked_at: iso(T0) }],
    ['the desktop showed', { dispatch: { notification_id: 'n:1', outcome: 'shown', at: iso(T0), detail: null } }],
    ['was not notified', { dispatch: null }],
  ])('that %s is neither announced nor reported as shown', async (_, more) => {
    const rig = await openPrices([crossed(2, more), crossed(1, { needs_attention: false, ...more })]);
    expect(screen.queryByRole('region')).toBeNull();
    expect(rig.inputs('alerts.shown')).toEqual([]);
  });

  test('comes after a High Risk, and is acknowledged with it', async () => {
    const rig = await openPrices([crossed(2)], [high('SPY', 1)]);
    const toast = screen.getByRole('region', { name: 'SPY is High Risk' });
    expect(toast.textContent).toContain('Also needing attention: price of QQQ');
    await userEvent.click(screen.getByRole('button', { name: 'Acknowledge 2' }));
    expect(rig.inputs('alerts.acknowledge')).toEqual([{ ledger_ids: [1, 2], acknowledged: true }]);
  });

  test('dismissed, it goes and acknowledges nothing', async () => {
    const rig = await openPrices([crossed(7)]);
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    await rig.idle();
    expect(screen.queryByRole('region')).toBeNull();
    expect(rig.inputs('alerts.acknowledge')).toEqual([]);
  });
});

describe('a screen reader', () => {
  const heard = (): string | null => screen.getByRole('status').textContent;
  const elevated = (symbol: string, id: number): Alert =>
    alert(transition(symbol, 0, 1, T0 - id * 60_000), id, {
      needs_attention: true,
      dispatch: { notification_id: `n:${id}`, outcome: 'in_app', at: iso(T0), detail: null },
    });
  const openWith = async (alerts: Alert[] = [], local_alerts: PriceAlert[] = []) => {
    const rig = await createWindowRig({
      snapshot: snapshot({ rows: [row('SPY', 2), row('QQQ', 1)], alerts, local_alerts }),
      handlers: { 'alerts.shown': () => ({}) },
    });
    rig.render(<Toast />);
    await rig.idle();
    return rig;
  };

  test('hears each alert, also behind a High Risk and on the page that shows no toast', async () => {
    const rig = await openWith();
    expect(heard()).toBe('');
    await rig.pushChanges({ part: 'alerts', alerts: [elevated('QQQ', 4)] });
    await rig.advance(300);
    expect(heard()).toBe('QQQ turned Elevated.');
    await rig.pushChanges({ part: 'alerts', alerts: [high('SPY', 1)] });
    expect(heard()).toBe('QQQ turned Elevated.');
    const outage = { since: iso(T0), cause: plainMessage('It does not answer.') };
    await rig.pushChanges({ part: 'connection', connection: connection({ outage }) });
    expect(heard()).toBe('QQQ turned Elevated.');
    act(() => goTo({ page: 'alerts', item: null }));
    await rig.pushChanges({ part: 'local_alerts', local_alerts: [crossed(2)] });
    expect(heard()).toBe('QQQ turned Elevated.QQQ is at 179.90, at or below 180.00.');
  });

  test('hears a High Risk from the speaker alone', async () => {
    const rig = await openWith();
    await rig.pushChanges({ part: 'alerts', alerts: [high('SPY', 1)] });
    expect(screen.getByRole('region', { name: 'SPY is High Risk' })).toBeDefined();
    expect(heard()).toBe('');
  });
});

test('the snooze menu: each duration has a key', async () => {
  const rig = await open(
    <SnoozeMenu alerts={[high('SPY', 4)]} id={4} trigger={<button type="button">Snooze</button>} />,
    [high('SPY', 4)],
  );
  await userEvent.click(screen.getByRole('button', { name: 'Snooze' }));
  // Six durations, and the silence of its symbol.
  await waitFor(() => expect(screen.getAllByRole('menuitem')).toHaveLength(7));
  await userEvent.keyboard('n');
  await rig.idle();
  expect(rig.inputs('alerts.snooze')).toEqual([{ ledger_ids: [4], until: { kind: 'recovery' } }]);
  expect(screen.queryByRole('menu')).toBeNull();
});
