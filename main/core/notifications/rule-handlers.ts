// Main, core: the window's calls about rules, quiet hours, the outage alarm and grouping.

import type { alertingChannels } from '../../../shared/channels/alerting.ts';
import { refused } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { Row } from '../../../shared/channels/state.ts';
import { channelsNamedBy, isInScope, type Rule, type WatchedSymbols } from '../../../shared/settings/alert-rules.ts';
import { quoteOf } from '../../../shared/settings/price-conditions.ts';
import { contradictionOf } from '../../../shared/settings/rule-contradictions.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { Watch } from '../profiles/watch.ts';
import type { DueLookup } from '../scheduled/scheduled.ts';
import { backtestRule } from './backtest.ts';
import { backtestBreadth } from './breadth-backtest.ts';
import type { ChannelStore } from './channel-store.ts';
import type { PlacedSymbols } from './rule-context.ts';
import { planImport } from './rule-import.ts';
import type { RuleStore } from './rule-store.ts';

export type RuleHandlers = Pick<
  Handlers<typeof alertingChannels>,
  | 'rules.save'
  | 'rules.import'
  | 'rules.delete'
  | 'rules.backtest'
  | 'quiet.save'
  | 'outageAlarm.save'
  | 'grouping.save'
  | 'notificationZone.save'
>;

export interface RuleHandlerDeps {
  readonly context: Pick<CoreContext, 'profile' | 'world' | 'events' | 'calendarOf'>;
  readonly ledger: Pick<Ledger, 'entries'>;
  readonly ruleStore: RuleStore;
  readonly channelStore: Pick<ChannelStore, 'get' | 'views'>;
  readonly watch: PlacedSymbols & Pick<Watch, 'lists'>;
  readonly signals: Pick<DueLookup, 'due'> & { rows(): readonly Row[] };
}

export function createRuleHandlers(deps: RuleHandlerDeps): RuleHandlers {
  const { context, ledger, ruleStore, channelStore, watch, signals } = deps;
  const { profile, world, events, calendarOf } = context;
  const changed = (): Record<string, never> => {
    events.signal('rulesChanged');
    return {};
  };
  return {
    'rules.save': ({ rule }) => {
      const unpriced = priceProblem(rule, signals.rows(), watch);
      if (unpriced !== null) throw refused(unpriced);
      for (const id of channelsNamedBy(rule))
        if (channelStore.get(id) === null) throw refused(message('channel.unknown', { id }));
      ruleStore.save(rule);
      return changed();
    },
    'rules.import': ({ text, dry_run }) => {
      const now = world.now();
      const rules = planImport(text, {
        now,
        rules: ruleStore.views(now),
        lists: ruleStore.lists(),
        channels: channelStore.views().flatMap(({ channel }) => channel ?? []),
        profiles: ruleStore.profiles(),
        priceProblem: (rule) => priceProblem(rule, signals.rows(), watch),
      });
      if (!dry_run) {
        ruleStore.append(rules.flatMap(({ rule }) => rule ?? []));
        changed();
      }
      return { rules };
    },
    'rules.delete': ({ id }) => {
      ruleStore.remove(id);
      return changed();
    },
    'rules.backtest': ({ rule }) => {
      const options = {
        ledger,
        profile: profile.name,
        calendarOf,
        quiet: ruleStore.quiet(),
        rules: ruleStore.rules(),
        watch,
        scheduled: signals,
        now: world.now(),
        hourOf: (at: number) => new Date(at).getHours(),
      };
      if (rule.breadth === null) return backtestRule(rule, options);
      return backtestBreadth(rule, rule.breadth, { ...options, lists: watch.lists(), rows: signals.rows() });
    },
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
  };
}

/** Most symbols that a refusal names. */
const MAX_NAMED = 5;

/** Set when none of the symbols of an enabled rule on prices can have a price here. */
function priceProblem(rule: Rule, rows: readonly Row[], watch: WatchedSymbols): Message | null {
  if (!rule.enabled || rule.price === null || contradictionOf(rule) !== null) return null;
  const covered = rows.filter(
    ({ symbol }) => watch.isWatched(symbol) && isInScope(rule, symbol, watch) && !rule.except.includes(symbol),
  );
  // A symbol may have a price until the service has answered about it.
  if (covered.some((row) => row.coverage === 'unknown' || quoteOf(row) !== 'none')) return null;
  const named = rule.scope.kind === 'symbols' ? rule.scope.symbols : [];
  const unwatched = named.filter((symbol) => !watch.isWatched(symbol)).slice(0, MAX_NAMED);
  const unpriced = covered.slice(0, MAX_NAMED).map(({ symbol }) => symbol);
  return message('rule.no_prices', { unwatched: unwatched.join(', '), unpriced: unpriced.join(', ') });
}
