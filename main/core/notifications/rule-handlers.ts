// Main, core: the window's calls about rules, quiet hours, the outage alarm and channels.

import type { alertingChannels } from '../../../shared/channels/alerting.ts';
import { messageFrom, refused } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { Row } from '../../../shared/channels/state.ts';
import {
  isInScope,
  type NotificationChannel,
  type Rule,
  type WatchedSymbols,
} from '../../../shared/settings/alert-rules.ts';
import { quoteOf } from '../../../shared/settings/price-conditions.ts';
import { contradictionOf } from '../../../shared/settings/rule-contradictions.ts';
import { message } from '../../../shared/text/message.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import { backtestRule } from './backtest.ts';
import { secretAccount } from './channel-secrets.ts';
import type { PlacedSymbols } from './rule-context.ts';
import type { RuleStore } from './rule-store.ts';
import type { NotificationSender } from './sender.ts';

export type RuleHandlers = Pick<
  Handlers<typeof alertingChannels>,
  | 'rules.save'
  | 'rules.delete'
  | 'rules.backtest'
  | 'quiet.save'
  | 'outageAlarm.save'
  | 'grouping.save'
  | 'notificationZone.save'
  | 'channel.test'
  | 'channel.secret'
>;

export interface RuleHandlerDeps {
  readonly context: Pick<CoreContext, 'profile' | 'ports' | 'world' | 'events'>;
  readonly ledger: Pick<Ledger, 'entries'>;
  readonly ruleStore: RuleStore;
  readonly sender: Pick<NotificationSender, 'test' | 'forgetSecret'>;
  readonly watch: PlacedSymbols;
  readonly signals: { rows(): readonly Row[] };
}

export function createRuleHandlers(deps: RuleHandlerDeps): RuleHandlers {
  const { context, ledger, ruleStore, sender, watch, signals } = deps;
  const { profile, world, events } = context;
  const { vault } = context.ports;
  const changed = (): Record<string, never> => {
    events.signal('rulesChanged');
    return {};
  };
  const channelOf = (rule: string): NotificationChannel => {
    const channel = ruleStore.get(rule)?.channel ?? null;
    if (channel === null) throw refused(message('rule.no_channel', { id: rule }));
    return channel;
  };
  return {
    'rules.save': ({ rule }) => {
      if (rule.enabled && rule.price !== null && contradictionOf(rule) === null)
        checkPrices(rule, signals.rows(), watch);
      ruleStore.save(rule);
      return changed();
    },
    'rules.delete': ({ id }) => {
      ruleStore.remove(id);
      return changed();
    },
    'rules.backtest': ({ rule }) =>
      backtestRule(rule, {
        ledger,
        profile: profile.name,
        environment: profile.environment,
        quiet: ruleStore.quiet(),
        rules: ruleStore.rules(),
        watch,
        now: world.now(),
        hourOf: (at) => new Date(at).getHours(),
      }),
    'quiet.save': ({ quiet }) => {
      ruleStore.setQuiet(quiet);
      return changed();
    },
    'outageAlarm.save': ({ outage_alarm }) => {
      ruleStore.setOutageAlarm(outage_alarm);
      return changed();
    },
    'grouping.save': ({ grouping }) => {
      ruleStore.setGrouping(grouping);
      return changed();
    },
    'notificationZone.save': ({ zone }) => {
      ruleStore.setZone(zone);
      return changed();
    },
    'channel.test': async ({ rule }) => {
      try {
        return { detail: await sender.test(rule, channelOf(rule)) };
      } catch (error) {
        throw refused(messageFrom(error));
      }
    },
    'channel.secret': async ({ rule, secret }) => {
      const account = secretAccount(rule, channelOf(rule));
      if (account === null) throw refused(message('rule.no_secret'));
      if (secret === null) await vault.deletePassword(profile.name, account);
      else await vault.setPassword(profile.name, account, secret);
      sender.forgetSecret(account);
      return {};
    },
  };
}

/** Most symbols that a refusal names. */
const MAX_NAMED = 5;

/** @throws RefusedError when none of the rule's symbols can have a price here */
function checkPrices(rule: Rule, rows: readonly Row[], watch: WatchedSymbols): void {
  const covered = rows.filter(
    ({ symbol }) => watch.isWatched(symbol) && isInScope(rule, symbol, watch) && !rule.except.includes(symbol),
  );
  // A symbol may have a price until the service has answered about it.
  if (covered.some((row) => row.coverage === 'unknown' || quoteOf(row) !== 'none')) return;
  const named = rule.scope.kind === 'symbols' ? rule.scope.symbols : [];
  const unwatched = named.filter((symbol) => !watch.isWatched(symbol)).slice(0, MAX_NAMED);
  const unpriced = covered.slice(0, MAX_NAMED).map(({ symbol }) => symbol);
  throw refused(message('rule.no_prices', { unwatched: unwatched.join(', '), unpriced: unpriced.join(', ') }));
}
