// Service, proxy, test: sessions of the dashboard.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { KeyScope } from '../../shared/wire/keys.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { createDashboardSessions } from './sessions.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function begin() {
  const clock = createManualClock();
  let stored: string | null = null;
  const disk = { isFull: false };
  const store = {
    read: () => stored,
    update(change: (text: string | null) => string) {
      if (disk.isFull) throw new Error('database or disk is full');
      stored = change(stored);
    },
  };
  const keys = new Map<string, KeyScope>([
    ['key_a', 'webhooks'],
    ['key_b', 'webhooks'],
  ]);
  const open = () =>
    createDashboardSessions({ clock, randomBytes, logger: silent, store, scopeOfKey: (id) => keys.get(id) ?? null });
  return { clock, disk, keys, open, sessions: open(), text: () => stored ?? '' };
}

test('an unused token ends after ten minutes, a session after thirty days', async () => {
  const { clock, sessions } = begin();
  const late = sessions.issue(['read'], null);
  const session = sessions.trade(sessions.issue(['read'], null))?.session ?? '';
  await clock.advance(10 * MINUTE);
  expect(sessions.trade(late)).toBeNull();
  await clock.advance(30 * DAY - 11 * MINUTE);
  expect(sessions.find(session)).not.toBeNull();
  await clock.advance(2 * MINUTE);
  expect(sessions.find(session)).toBeNull();
});

test('a session outlives the process, an ended one does not, and the store has neither', () => {
  const { open, sessions, text } = begin();
  const [kept, ended] = [0, 1].map(() => sessions.trade(sessions.issue(['read', 'trigger'], null))?.session ?? '');
  sessions.end(ended ?? '');
  const again = open();
  expect(again.find(kept ?? '')?.scopes).toEqual(['read', 'trigger']);
  expect(again.find(ended ?? '')).toBeNull();
  expect(text()).not.toContain(kept);
});

test('of nodes that share the store, each knows the sessions of all; one that is signed out at one is over at all', () => {
  const { open, sessions } = begin();
  const other = open();
  const [one = '', two = ''] = [sessions, other].map((node) => node.trade(node.issue(['read'], null))?.session ?? '');
  expect([other.find(one)?.scopes, sessions.find(two)?.scopes]).toEqual([['read'], ['read']]);
  other.end(one);
  expect([sessions.find(one), other.find(one)]).toEqual([null, null]);
  expect(sessions.find(two)).not.toBeNull();
});

test('a store that takes nothing ends no sign-in: the session lasts as long as the process; the end of a stored one is refused', () => {
  const { disk, open, sessions } = begin();
  const kept = sessions.trade(sessions.issue(['read'], null))?.session ?? '';
  const token = sessions.issue(['read'], null);
  disk.isFull = true;
  const session = sessions.trade(token)?.session ?? '';
  expect([sessions.find(session)?.scopes, open().find(session)]).toEqual([['read'], null]);
  sessions.end(session);
  expect(() => sessions.end(kept)).toThrow('disk is full');
  expect([sessions.find(session), sessions.find(kept)]).toEqual([null, null]);
  // It leaves the store with the next change that the store takes.
  disk.isFull = false;
  sessions.trade(sessions.issue(['read'], null));
  expect(open().find(kept)).toBeNull();
});

test('two hundred sessions at most: one more ends the oldest', () => {
  const { sessions } = begin();
  const all = Array.from({ length: 201 }, () => sessions.trade(sessions.issue(['read'], null))?.session ?? '');
  expect(all.map((one) => sessions.find(one) !== null)).toEqual([false, ...Array(200).fill(true)]);
});

test('at the limit the oldest session of the key with the most ends: a key ends no session and no link of another', () => {
  const { sessions } = begin();
  const begun = (key: string | null) => sessions.trade(sessions.issue(['read'], key))?.session ?? '';
  const link = sessions.issue(['read'], null);
  const others = [begun(null), begun('key_b')];
  const many = Array.from({ length: 300 }, () => begun('key_a'));
  for (let count = 0; count < 300; count += 1) sessions.issue(['read'], 'key_a');
  expect(others.every((one) => sessions.find(one) !== null)).toBe(true);
  expect(many.map((one) => sessions.find(one) !== null)).toEqual([...Array(102).fill(false), ...Array(198).fill(true)]);
  expect(sessions.trade(link)).not.toBeNull();
});

test('a session and a link end with the key that made them, also after a restart', () => {
  const { keys, open, sessions } = begin();
  const session = sessions.trade(sessions.issue(['read'], 'key_a'))?.session ?? '';
  const own = sessions.trade(sessions.issue(['read'], null))?.session ?? '';
  const token = sessions.issue(['read'], 'key_a');
  expect(sessions.find(session)).not.toBeNull();
  keys.delete('key_a');
  expect([sessions.find(session), sessions.trade(token), open().find(session)]).toEqual([null, null, null]);
  expect(sessions.find(own)).not.toBeNull();
});

test('a session does no more than its key may do now', () => {
  const { keys, sessions } = begin();
  const token = sessions.issue(['read', 'subscriptions'], 'key_a');
  const session = sessions.trade(sessions.issue(['read', 'subscriptions'], 'key_a'))?.session ?? '';
  expect(sessions.find(session)?.scopes).toEqual(['read', 'subscriptions']);
  const asked = sessions.issue(['read', 'account'], 'key_a');
  expect(sessions.trade(asked)?.scopes).toEqual(['read']);
  keys.set('key_a', 'account');
  expect(sessions.trade(sessions.issue(['read', 'account'], 'key_a'))?.scopes).toEqual(['read', 'account']);
  keys.set('key_a', 'read');
  expect(sessions.find(session)?.scopes).toEqual(['read']);
  expect(sessions.trade(token)?.scopes).toEqual(['read']);
});
