// Main, core: checks periodically whether a rule or a channel expired or broke, and notifies each problem once.

import { type Cancel, type Clock, every } from '../../../shared/lib/clock.ts';
import { type Message, message, storedMessage } from '../../../shared/text/message.ts';
import type { EventBus, Followers } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { WorldClock } from '../time/world-clock.ts';
import type { ChannelStore } from './channel-store.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { RuleStore } from './rule-store.ts';

export interface RuleWatch {
  /** Checks now. */
  check(): void;
  readonly on: Required<Pick<Followers, 'rulesChanged'>>;
  /** Starts the periodic checks. */
  start(): void;
  stop(): void;
}

export interface RuleWatchOptions {
  readonly clock: Clock;
  readonly world: Pick<WorldClock, 'now'>;
  readonly ruleStore: Pick<RuleStore, 'views'>;
  readonly channelStore: Pick<ChannelStore, 'views'>;
  readonly ledger: Pick<Ledger, 'notifications' | 'transaction'>;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  readonly events: Pick<EventBus, 'signal'>;
}

/** Interval of the checks, ms. */
const CHECK_INTERVAL = 5_000;

export function createRuleWatch({
  clock,
  world,
  ruleStore,
  channelStore,
  ledger,
  dispatcher,
  events,
}: RuleWatchOptions): RuleWatch {
  /** Rule -> key of the problem notified in this run; the ledger has those of earlier runs. */
  const notifiedKeys = new Map<string, string>();
  let cancel: Cancel = () => undefined;

  const check = (): void => {
    let hasChanged = false;
    const channels = channelStore.views().map(({ id, problem }) => ({ id: `channel:${id}`, rule: null, problem }));
    for (const { id, rule, problem } of [...ruleStore.views(world.now()), ...channels]) {
      const key = problem === null ? null : noticeKey(problem);
      if (key === null ? !notifiedKeys.delete(id) : notifiedKeys.get(id) === key) continue;
      hasChanged = true;
      if (problem === null || key === null) continue;
      const notice = `barograph:rule:${id}:${key}`;
      const reason = message('notice.rule', { rule: rule?.name ?? id, problem });
      ledger.transaction(() =>
        ledger.notifications.writeNotice({ id: notice, kind: 'notice', rules: [id], reason }, clock.now()),
      );
      notifiedKeys.set(id, key);
      dispatcher.wake();
    }
    if (hasChanged) events.signal('rulesChanged');
  };
  return {
    check,
    on: { rulesChanged: check },
    start() {
      cancel = every(clock, CHECK_INTERVAL, check);
    },
    stop: () => cancel(),
  };
}

/** The same problem has the same key, in any language, so that it is notified once. */
function noticeKey(problem: Message): string {
  let key = 5381;
  for (const letter of storedMessage(problem)) key = (Math.imul(key, 33) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return key.toString(36);
}
