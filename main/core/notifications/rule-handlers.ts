// Main, core: the window's calls about rules, quiet hours, the outage alarm and channels.

import type { alertingChannels } from '../../../shared/channels/alerting.ts';
import { messageFrom, refused } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { NotificationChannel } from '../../../shared/settings/alert-rules.ts';
import { message } from '../../../shared/text/message.ts';
import type { EventBus } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { KeyVault } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import { backtestRule } from './backtest.ts';
import type { WatchedSymbols } from './rule-context.ts';
import type { RuleStore } from './rule-store.ts';
import { type NotificationSender, secretAccount } from './sender.ts';

export type RuleHandlers = Pick<
  Handlers<typeof alertingChannels>,
  | 'rules.save'
  | 'rules.delete'
  | 'rules.backtest'
  | 'quiet.save'
  | 'outageAlarm.save'
  | 'notificationZone.save'
  | 'channel.test'
  | 'channel.secret'
>;

export interface RuleHandlerDeps {
  readonly profile: Pick<Profile, 'name' | 'environment'>;
  readonly ledger: Pick<Ledger, 'entries'>;
  readonly vault: KeyVault;
  readonly ruleStore: RuleStore;
  readonly sender: Pick<NotificationSender, 'test'>;
  readonly watch: WatchedSymbols;
  readonly world: { now(): number };
  readonly events: Pick<EventBus, 'signal'>;
}

export function createRuleHandlers(deps: RuleHandlerDeps): RuleHandlers {
  const { profile, ledger, vault, ruleStore, sender, watch, world, events } = deps;
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
      return {};
    },
  };
}
