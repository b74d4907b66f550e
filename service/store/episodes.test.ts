// Service, store, test: episodes out of Normal.
import { expect, test } from 'vitest';
import type { State } from '../../shared/domain/states.ts';
import { signalEvent } from '../../shared/wire/events.ts';
import type { EventDraft } from './event-log.ts';
import { IN_MEMORY, openStore, type Store } from './store.ts';

const AT = Date.parse('2026-03-02T14:30:00.000Z');
const NO_FILTER = { symbols: null, states: null, regimes: null, classes: null, from: null, to: null, openAt: null };

const opened = (): Store => openStore(IN_MEMORY, { environment: 'sandbox', seed: 7, clock: 'real' });

function draft(symbol: string, from_state: State, to_state: State, second: number): EventDraft {
  const timestamp = new Date(AT + second * 1000).toISOString();
  const event_id = `evt_${symbol}${second}`;
  const state_name = (['normal', 'elevated', 'high_risk'] as const)[to_state];
  const data = {
    event_id,
    symbol,
    asset_class: 'etf',
    from_state,
    to_state,
    state_name,
    occurred_at: timestamp,
  } as const;
  return {
    event_id,
    event: signalEvent(to_state),
    timestamp,
    data: { ...data, regime: `regime_${second}`, confidence: second, note: `note ${second}`, model_version: 'm' },
  };
}

function log(store: Store, ...drafts: EventDraft[]): void {
  store.transaction(() => store.episodes.follow(store.log.append(drafts).map(({ envelope }) => envelope)));
}
const all = (store: Store, since = 0) => store.episodes.list(NO_FILTER, since, null, 100);

test('transitions open, raise and close an episode; a fall within it does not change its peak', () => {
  const store = opened();
  log(store, draft('SPY', 0, 1, 1), draft('SPY', 1, 2, 2), draft('SPY', 2, 1, 3));
  const [open] = all(store);
  expect(open).toMatchObject({
    id: 'alt_SPY1',
    peak: 2,
    regime: 'regime_2',
    confidence: 2,
    note: 'note 2',
    endedAt: null,
  });
  log(store, draft('SPY', 1, 0, 4), draft('SPY', 0, 1, 5));
  expect(all(store).map(({ id, endedAt, transitions }) => [id, endedAt, transitions])).toEqual([
    ['alt_SPY5', null, ['evt_SPY5']],
    ['alt_SPY1', AT + 4000, ['evt_SPY1', 'evt_SPY2', 'evt_SPY3', 'evt_SPY4']],
  ]);
  store.close();
});

test('an event already in the log changes nothing', () => {
  const store = opened();
  log(store, draft('SPY', 0, 1, 1));
  log(store, draft('SPY', 0, 1, 1));
  expect(all(store).map(({ transitions }) => transitions)).toEqual([['evt_SPY1']]);
  store.close();
});

test('an episode begun without a transition continues like any other, and begins once', () => {
  const store = opened();
  const begun = {
    id: 'alt_old',
    symbol: 'SPY',
    assetClass: 'etf',
    startedAt: AT - 1000,
    peak: 1,
    regime: null,
    confidence: null,
    claim: null,
    note: '',
  } as const;
  store.episodes.begin(begun);
  store.episodes.begin({ ...begun, id: 'alt_other' });
  log(store, draft('SPY', 1, 2, 1), draft('SPY', 2, 0, 2));
  expect(all(store)).toEqual([
    {
      ...begun,
      endedAt: AT + 2000,
      peak: 2,
      regime: 'regime_1',
      confidence: 1,
      note: 'note 1',
      transitions: ['evt_SPY1', 'evt_SPY2'],
    },
  ]);
  store.close();
});

test('old ended episodes are neither listed nor retained; open episodes are, at any age', () => {
  const store = opened();
  log(store, draft('SPY', 0, 1, 1), draft('SPY', 1, 0, 2), draft('QQQ', 0, 1, 3), draft('IWM', 0, 1, 4));
  log(store, draft('IWM', 1, 0, 10));
  expect(all(store, AT + 5000).map(({ symbol }) => symbol)).toEqual(['IWM', 'QQQ']);
  store.episodes.prune(AT + 5000);
  expect(all(store).map(({ symbol }) => symbol)).toEqual(['IWM', 'QQQ']);
  store.close();
});

test('at most one episode a symbol was open at an instant, both of its ends included', () => {
  const store = opened();
  log(store, draft('SPY', 0, 1, 1), draft('SPY', 1, 0, 5), draft('SPY', 0, 2, 7), draft('QQQ', 0, 1, 3));
  const openAt = (second: number): string[] =>
    store.episodes.list({ ...NO_FILTER, openAt: AT + second * 1000 }, 0, null, 100).map(({ id }) => id);
  expect([0, 1, 4, 5, 6, 7].map(openAt)).toEqual([
    [],
    ['alt_SPY1'],
    ['alt_QQQ3', 'alt_SPY1'],
    ['alt_QQQ3', 'alt_SPY1'],
    ['alt_QQQ3'],
    ['alt_SPY7', 'alt_QQQ3'],
  ]);
  store.close();
});
