// Test: the banner names what the user can do first, and old prices like an outage.
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import type { ProfileEntry } from '../../../shared/channels/profiles.ts';
import type { PriceAnswer } from '../../../shared/domain/price-questions.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import { profiles } from '../../../test/fixtures/feature-fixtures.ts';
import { connection, iso, PRICE_QUESTION, row, signal, snapshot, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { fakeBrowserNotifications } from '../../../test/harness/fake-browser-notifications.ts';
import { type CoreHandlers, renderInWindow } from '../../../test/harness/window.tsx';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import type { BrowserNotifications } from '../../notifications/browser-notifications.ts';
import { useRoute } from '../../store/route.ts';
import { PriceQuestionDialogs } from '../price-questions/index.ts';
import { ProfileDialogs } from '../profiles/index.ts';
import { Banner } from './banner.tsx';

function Shown() {
  const route = useRoute(({ page, item }) => `${page} ${item ?? ''}`);
  return (
    <>
      <Banner onKeySheet={() => undefined} />
      <output aria-label="route">{route}</output>
      <ProfileDialogs />
      <PriceQuestionDialogs />
    </>
  );
}
const open = (now: ReturnType<typeof snapshot>, handlers: CoreHandlers = {}) =>
  renderInWindow(<Shown />, { 'state.snapshot': () => now, ...handlers });

const refusedBy = (refused: Message) =>
  snapshot({ connection: connection({ outage: { since: iso(T0), cause: refused }, refused }) });

test('a refused key: the cure comes first, with its button', async () => {
  const { user } = await open(refusedBy(message('connection.bad_key', { why: 'It is unknown.' })));
  const banner = screen.getByRole('region', { name: /^Not receiving data/ });
  expect(banner.querySelector('p')?.textContent).toMatch(
    /^Replace the key of this profile\. The service does not accept/,
  );
  const buttons = [...banner.querySelectorAll('button')].map(({ textContent }) => textContent);
  expect(buttons).toEqual(['Replace the key', 'Try now']);
  await user.click(screen.getByRole('button', { name: 'Replace the key' }));
  expect(screen.getByRole('status', { name: 'route' }).textContent).toBe('settings keys');
});

test('a profile that never had a key: it is saved, not replaced', async () => {
  const { user } = await open(refusedBy(message('connection.without_key')));
  const banner = screen.getByRole('region', { name: /^Not receiving data/ });
  expect(banner.textContent).toMatch(/Save the key of this profile\. This profile has no key/);
  expect(banner.textContent).not.toMatch(/eplace/);
  await user.click(screen.getByRole('button', { name: 'Save a key' }));
  expect(screen.getByRole('status', { name: 'route' }).textContent).toBe('settings keys');
});

test('a profile that is not watched is called so, not a file', async () => {
  const folder = message('profile.not_opened', { name: 'desk', why: 'The price folder /p is not there.' });
  await open(snapshot(), { 'profiles.read': () => profiles({ problem: folder }) });
  const banner = screen.getByRole('region', { name: 'A profile is not watched.' });
  expect(banner.textContent).toBe(
    'A profile is not watched. desk cannot be watched. The price folder /p is not there.',
  );
});

describe('the price folder of the profile', () => {
  const bad = { file: 'a.csv', line: 7, reason: 'the close is above the high' };
  const of = (folder: ProfileEntry['folder']) => ({
    'profiles.read': () =>
      profiles({ profiles: profiles().profiles.map((one) => ({ ...one, name: 'sandbox', folder })) }),
  });
  const found = {
    problems: [bad, { file: 'b.csv', line: 0, reason: 'it cannot be read' }],
    more: 0,
    added: [],
    unwatched: [],
  };

  test('its problems are named with file and line, and hidden until they change', async () => {
    const { user } = await open(snapshot({ profile: { ...snapshot().profile, name: 'sandbox' } }), of(found));
    const banner = screen.getByRole('region', { name: 'Lines to check in your folders: 2.' });
    expect(banner.textContent).toContain('a.csv:7: the close is above the high. b.csv: it cannot be read.');
    await user.click(screen.getByRole('button', { name: 'Hide this notice' }));
    expect(screen.queryByRole('region', { name: /your folders/ })).toBeNull();
  });

  test('its problems come before notifications by the browser alone, which have nothing to do', async () => {
    const notifier = { tier: 'in_app' as const, detail: plainMessage('No notification service.') };
    const rig = await createWindowRig({
      snapshot: snapshot({ profile: { ...snapshot().profile, name: 'sandbox' }, rows: [row('SPY', 0)], notifier }),
      browserNotifications: fakeBrowserNotifications('granted'),
      handlers: of({ ...found, more: 1 }),
    });
    rig.services.followFeatures();
    rig.render(<Banner onKeySheet={() => undefined} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Hide this notice' }));
    expect(screen.getAllByRole('region', { name: /^Desktop notifications are unavailable/ })).toHaveLength(1);
  });

  test('symbols that were added are named, with a start of the service that reads them', async () => {
    const asked: string[] = [];
    const { user } = await open(snapshot({ profile: { ...snapshot().profile, name: 'sandbox' } }), {
      ...of({ ...found, added: ['NEW1', 'NEW2'], unwatched: ['NEW2'] }),
      'profiles.restart': () => {
        asked.push('restart');
        return {};
      },
    });
    const banner = screen.getByRole('region', {
      name: /^New in the price folder.*: NEW1, NEW2\. Not watched, .*: NEW2\./,
    });
    await user.click(within(banner).getByRole('button', { name: 'Restart it' }));
    expect(asked).toEqual(['restart']);
    await user.click(within(banner).getByRole('button', { name: 'Show all' }));
    expect(screen.getByRole('status', { name: 'route' }).textContent).toBe('settings connection');
  });
});

test('an outage of another reason has no cure of its own', async () => {
  await open(refusedBy(message('connection.closed')));
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Try now']);
});

test('a service that starts: how far it is, and that the rest comes; one that does not start: why, and where to mend it', async () => {
  const of = (cause: Message) => connection({ outage: { since: iso(T0), cause } });
  const progress = message('work.progress', { what: 'reading', done: 120, total: 500, left: 30_000 });
  const { push, user } = await open(snapshot({ connection: of(message('service.starting', { progress })) }));
  const banner = screen.getByRole('region', { name: /^The service starts\. Reading price files: 120 of 500 files/ });
  expect(banner.textContent).toMatch(/30\ss left\. What is stored here can be read; the rest comes/);
  expect(screen.queryByRole('button')).toBeNull();
  const failure = of(message('service.not_started', { why: 'No prices there.' }));
  await push('state.changed', { number: 2, changes: [{ part: 'connection', connection: failure }] });
  const failed = screen.getByRole('region', { name: /^Not receiving data/ });
  expect(failed.textContent).toContain('The service inside the app does not start: No prices there. Barograph tries');
  await user.click(within(failed).getByRole('button', { name: 'Open profiles' }));
  expect(screen.getByRole('status', { name: 'route' }).textContent).toBe('settings profiles');
});

test('a price that needs a decision is named, with its question one click away; one that is not used is none', async () => {
  const asked = (symbol: string, counts_as: PriceAnswer) =>
    row(symbol, 2, {
      signal: signal(symbol, 2, { data_health: 'question', price_question: { ...PRICE_QUESTION, counts_as } }),
    });
  const rows = [asked('SPY', 'price'), asked('QQQ', 'price'), asked('IWM', 'no_price')];
  const { user } = await open(snapshot({ rows }), {
    'timeline.read': () => ({ symbol: 'QQQ', points: [], transitions: [] }),
  });
  const banner = screen.getByRole('region', { name: '2 prices need a decision: QQQ, SPY' });
  expect(
    within(banner)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['Decide QQQ', 'Decide SPY']);
  expect(screen.getByRole('alert').contains(banner)).toBe(true);
  await user.click(within(banner).getByRole('button', { name: 'Decide QQQ' }));
  expect(await screen.findByRole('dialog', { name: 'What is the price 120.10 of QQQ?' })).toBeDefined();
});

const old = row('SPY', 2, {
  stale: true,
  signal: signal('SPY', 2, { data_health: 'stale', decided_at: '2025-11-20T21:00:00.000Z' }),
});

test('old prices alone: how old, why it matters, and a replay of them', async () => {
  const source = { kind: 'prices' as const, folder: '/prices', editorial: null, replay: null };
  const [profile] = profiles().profiles;
  const { user } = await open(snapshot({ rows: [old] }), {
    'profiles.read': () => profiles({ profiles: profile === undefined ? [] : [{ ...profile, source }] }),
  });
  expect(
    screen.getByRole('region', { name: 'No price is current. The newest is of Thu 20 Nov 2025, 101 days ago' }),
  ).toBeDefined();
  expect(screen.getByText(/until new rows arrive in \/prices/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Replay prices' }));
  expect(await screen.findByRole('dialog', { name: 'Add your own prices' }, { timeout: 10_000 })).toBeDefined();
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Price folder' }).value).toBe('/prices');
});

test('a newest price at midnight is of the day that it ends', async () => {
  await open(
    snapshot({
      rows: [
        row('SPY', 2, {
          stale: true,
          signal: signal('SPY', 2, { data_health: 'stale', decided_at: '2025-11-21T00:00:00.000Z' }),
        }),
      ],
    }),
  );
  expect(screen.getByRole('region', { name: /^No price is current\. The newest is of Thu 20 Nov 2025/ })).toBeDefined();
});

test('where one price is current, no banner says that none is', async () => {
  await open(snapshot({ rows: [old, row('QQQ', 0)] }));
  expect(screen.queryByText(/No price is current/)).toBeNull();
});

describe('where the desktop shows no notifications', () => {
  const openWith = async (browserNotifications?: BrowserNotifications) => {
    const notifier = { tier: 'in_app' as const, detail: plainMessage('No notification service.') };
    const given = snapshot({ rows: [row('SPY', 0)], notifier });
    const rig = await createWindowRig({ snapshot: given, ...(browserNotifications && { browserNotifications }) });
    rig.render(<Banner onKeySheet={() => undefined} />);
    const [banner] = screen.getAllByRole('region', { name: /^Desktop notifications are unavailable/ });
    return { text: () => banner?.textContent ?? '' };
  };
  const UNAVAILABLE =
    'Desktop notifications are unavailable. Keep this window open to see High Risk alerts. No notification service.';
  const ALLOW = 'Allow notifications in this browser';

  test('a window without a browser of its own says so, and offers nothing', async () => {
    const { text } = await openWith();
    expect(text()).toBe(UNAVAILABLE);
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('the browser is asked by a button, and shows them once it is allowed', async () => {
    const { text } = await openWith(fakeBrowserNotifications('default', 'granted'));
    expect(text()).toBe(`${UNAVAILABLE}${ALLOW}`);
    await userEvent.click(screen.getByRole('button', { name: ALLOW }));
    expect(text()).toBe(
      'Desktop notifications are unavailable. While this window is in the background, its browser notifies you. Keep the window open.',
    );
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('a browser that blocks them is named, with the remedy', async () => {
    const { text } = await openWith(fakeBrowserNotifications('denied'));
    expect(text()).toMatch(/This browser blocks notifications here\. Allow them in its settings for this page\.$/);
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('a screen reader is told', () => {
  const told = (role: 'alert' | 'status'): string | null | undefined =>
    document.querySelector(`[role="${role}"].banner-region`)?.textContent;

  test('at once that prices are old, from a region that was there before', async () => {
    const { push } = await open(snapshot({ rows: [row('SPY', 0)] }));
    const region = document.querySelector('[role="alert"].banner-region');
    expect(region?.textContent).toBe('');
    await push('state.changed', { number: 2, changes: [{ part: 'rows', rows: [old] }] });
    expect(region?.textContent).toMatch(/^No price is current/);
    expect(told('status')).toBe('');
  });

  test('in its turn that nothing notifies', async () => {
    const { push } = await open(snapshot({ rows: [row('SPY', 0)] }));
    const notifier = { tier: 'in_app' as const, detail: plainMessage('No notification service.') };
    await push('state.changed', { number: 2, changes: [{ part: 'notifier', notifier }] });
    expect(told('status')).toMatch(/No notification service\.$/);
    expect(told('alert')).toBe('');
  });

  test('of an outage by the speaker alone: its banner counts the seconds', async () => {
    await open(refusedBy(message('connection.closed')));
    expect(screen.getByRole('region', { name: /^Not receiving data/ })).toBeDefined();
    expect([told('alert'), told('status')]).toEqual(['', '']);
  });
});

test('a state that is not known opens the form of its meanings, which are saved in the profile', async () => {
  const sent: unknown[] = [];
  const known = [
    row('SPY', 2, { signal: signal('SPY', 2, { state_word: 'red' }) }),
    row('QQQ', 2, { signal: signal('QQQ', 2, { state_word: 'amber' }) }),
  ];
  const { user } = await open(snapshot({ rows: known }), {
    'profiles.map_states': (given) => {
      sent.push(given);
      return {};
    },
  });
  const banner = screen.getByRole('region', { name: 'The service writes “amber”, “red” for a state' });
  await user.click(within(banner).getByRole('button', { name: 'Say what it means' }));
  const dialog = await screen.findByRole('dialog', { name: /^What the states of/ }, { timeout: 10_000 });
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(within(dialog).getByRole('alert').textContent).toBe('Say what at least one of them means.');
  await user.selectOptions(within(dialog).getByRole('combobox', { name: '“amber” means' }), 'Elevated');
  expect(dialog.textContent).toContain('"amber = Elevated"');
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(sent).toMatchObject([{ states: { amber: 'elevated' } }]);
  expect(screen.queryByRole('dialog')).toBeNull();
});
