// Main, core: what a window may ask of rules, mutes and alerts.
import type { alertingChannels } from '../../../shared/channels/alerting.ts';
import { RefusedError } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import type { NotificationChannel } from '../../../shared/settings/alert-rules.ts';
import type { EventBus } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { backtestRule } from '../notifications/backtest.ts';
import type { RuleStore } from '../notifications/rule-store.ts';
import { type NotificationSender, secretAccount } from '../notifications/sender.ts';
import type { KeyVault } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import type { UserActions } from './actions.ts';
import type { AlertingView } from './alerting-view.ts';
import type { DowntimeSummary } from './downtime.ts';
import type { InboxPages } from './inbox-pages.ts';

export interface AlertHandlerDeps {
  readonly events: Pick<EventBus, 'emit'>;
  readonly profile: Pick<Profile, 'name' | 'environment'>;
  readonly ledger: Ledger;
  readonly vault: KeyVault;
  readonly ruleStore: RuleStore;
  readonly sender: Pick<NotificationSender, 'test'>;
  readonly actions: UserActions;
  readonly inbox: InboxPages;
  readonly downtime: Pick<DowntimeSummary, 'acknowledge'>;
  readonly view: Pick<AlertingView, 'read' | 'changed'>;
  readonly isWatched: (symbol: string) => boolean;
  /** Ids of the watchlists that name the symbol. */
  readonly listsOf: (symbol: string) => string[];
  /** World time, ms. */
  readonly worldNow: () => number;
  /** The rules are others than before. */
  readonly onRules: () => void;
  /** The user did something: what waits may go on, and every window hears of it. */
  readonly onUserAction: (ledgerIds: readonly number[]) => void;
  /** These alerts are to be shown anew. */
  readonly onAlerts: (ledgerIds: readonly number[]) => void;
}

export function createAlertHandlers(deps: AlertHandlerDeps): Handlers<typeof alertingChannels> {
  const { profile, vault, ruleStore, actions, inbox, downtime, view } = deps;
  const done = (ledgerIds: readonly number[] = []): Record<string, never> => {
    deps.onUserAction(ledgerIds);
    return {};
  };
  const ruleChanged = (): Record<string, never> => {
    deps.onRules();
    return done();
  };
  const channelOf = (rule: string): NotificationChannel => {
    const channel = ruleStore.get(rule)?.channel ?? null;
    if (channel === null)
      throw new RefusedError({ code: 'refused', message: `Rule ${rule} has no outlet. Save the rule with one first.` });
    return channel;
  };

  return {
    'alerting.read': view.read,
    'rules.save': ({ rule }) => {
      ruleStore.save(rule);
      return ruleChanged();
    },
    'rules.delete': ({ id }) => {
      ruleStore.remove(id);
      return ruleChanged();
    },
    'rules.backtest': ({ rule }) =>
      backtestRule(rule, {
        ledger: deps.ledger,
        environment: profile.environment,
        quiet: ruleStore.quiet(),
        isWatched: deps.isWatched,
        listsOf: deps.listsOf,
        now: deps.worldNow(),
        hourOf: (at) => new Date(at).getHours(),
      }),
    'quiet.save': ({ quiet }) => {
      ruleStore.setQuiet(quiet);
      return ruleChanged();
    },
    'outageAlarm.save': ({ outage_alarm }) => {
      ruleStore.setOutageAlarm(outage_alarm);
      return done();
    },
    'channel.test': async ({ rule }) => {
      try {
        return { detail: await deps.sender.test(rule, channelOf(rule)) };
      } catch (error) {
        throw new RefusedError({ code: 'refused', message: messageOf(error) });
      }
    },
    'channel.secret': async ({ rule, secret }) => {
      const account = secretAccount(rule, channelOf(rule));
      if (secret === null) await vault.deletePassword(profile.name, account);
      else await vault.setPassword(profile.name, account, secret);
      return {};
    },
    'alerts.read': inbox.page,
    'alerts.trace': ({ ledger_id }) => inbox.trace(ledger_id),
    'alerts.acknowledge': ({ ledger_ids, acknowledged }) => {
      actions.acknowledge(ledger_ids, acknowledged);
      return done(ledger_ids);
    },
    'alerts.snooze': ({ ledger_ids, until }) => {
      actions.snooze(ledger_ids, until);
      return done(ledger_ids);
    },
    'alerts.unsnooze': ({ ledger_ids }) => {
      actions.unsnooze(ledger_ids);
      return done(ledger_ids);
    },
    'alerts.note': ({ ledger_id, note }) => {
      actions.note(ledger_id, note);
      deps.events.emit('noteWritten', { ledgerId: ledger_id, note });
      return done([ledger_id]);
    },
    'alerts.clicked': ({ notification_id }) => {
      deps.events.emit('notificationClicked', { notificationId: notification_id });
      deps.onAlerts(actions.clicked(notification_id));
      return {};
    },
    'silences.add': (input) => {
      actions.silence(input);
      return done();
    },
    'mutes.end': ({ id }) => {
      actions.endMute(id);
      return done();
    },
    'downtime.acknowledge': () => {
      downtime.acknowledge();
      view.changed();
      return {};
    },
  };
}
