// Main, core: what a window may ask of rules, mutes and alerts.
import type { alertingChannels } from '../../../shared/channels/alerting.ts';
import { RefusedError } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { Outlet } from '../../../shared/domain/alert-rules.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { KeyVault } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import type { AwayStory } from './away.ts';
import { type Carrier, secretAccount } from './carrier.ts';
import type { AlertingFace } from './face.ts';
import type { InboxPages } from './inbox-pages.ts';
import type { RuleBook } from './rule-book.ts';
import { tryRule } from './rule-trial.ts';
import type { UserActs } from './user-acts.ts';

export interface AlertRooms {
  readonly profile: Pick<Profile, 'name' | 'environment'>;
  readonly ledger: Ledger;
  readonly vault: KeyVault;
  readonly book: RuleBook;
  readonly carrier: Pick<Carrier, 'test'>;
  readonly acts: UserActs;
  readonly inbox: InboxPages;
  readonly away: Pick<AwayStory, 'seen'>;
  readonly face: Pick<AlertingFace, 'read' | 'changed'>;
  readonly isWatched: (symbol: string) => boolean;
  /** Ids of the watchlists that name the symbol. */
  readonly listsOf: (symbol: string) => string[];
  /** World time, ms. */
  readonly worldNow: () => number;
  /** The rules are others than before. */
  readonly onRules: () => void;
  /** The user did something: what waits may go on, and every window hears of it. */
  readonly onActed: (ledgerIds: readonly number[]) => void;
  /** These alerts are to be shown anew. */
  readonly onAlerts: (ledgerIds: readonly number[]) => void;
}

export function createAlertHandlers(rooms: AlertRooms): Handlers<typeof alertingChannels> {
  const { profile, vault, book, acts, inbox, away, face } = rooms;
  const done = (ledgerIds: readonly number[] = []): Record<string, never> => {
    rooms.onActed(ledgerIds);
    return {};
  };
  const ruleChanged = (): Record<string, never> => {
    rooms.onRules();
    return done();
  };
  const outletOf = (rule: string): Outlet => {
    const outlet = book.get(rule)?.outlet ?? null;
    if (outlet === null)
      throw new RefusedError({ code: 'refused', message: `Rule ${rule} has no outlet. Save the rule with one first.` });
    return outlet;
  };

  return {
    'alerting.read': face.read,
    'rules.save': ({ rule }) => {
      book.save(rule);
      return ruleChanged();
    },
    'rules.delete': ({ id }) => {
      book.remove(id);
      return ruleChanged();
    },
    'rules.try': ({ rule }) =>
      tryRule(rule, {
        ledger: rooms.ledger,
        environment: profile.environment,
        quiet: book.quiet(),
        isWatched: rooms.isWatched,
        listsOf: rooms.listsOf,
        now: rooms.worldNow(),
        hourOf: (at) => new Date(at).getHours(),
      }),
    'quiet.save': ({ quiet }) => {
      book.setQuiet(quiet);
      return ruleChanged();
    },
    'blind.save': ({ blind }) => {
      book.setBlind(blind);
      return done();
    },
    'outlet.test': async ({ rule }) => {
      try {
        return { detail: await rooms.carrier.test(rule, outletOf(rule)) };
      } catch (thrown) {
        throw new RefusedError({ code: 'refused', message: messageOf(thrown) });
      }
    },
    'outlet.secret': async ({ rule, secret }) => {
      const account = secretAccount(rule, outletOf(rule));
      if (secret === null) await vault.deletePassword(profile.name, account);
      else await vault.setPassword(profile.name, account, secret);
      return {};
    },
    'alerts.read': inbox.page,
    'alerts.trace': ({ ledger_id }) => inbox.trace(ledger_id),
    'alerts.acknowledge': ({ ledger_ids, acknowledged }) => {
      acts.acknowledge(ledger_ids, acknowledged);
      return done(ledger_ids);
    },
    'alerts.snooze': ({ ledger_ids, until }) => {
      acts.snooze(ledger_ids, until);
      return done(ledger_ids);
    },
    'alerts.unsnooze': ({ ledger_ids }) => {
      acts.unsnooze(ledger_ids);
      return done(ledger_ids);
    },
    'alerts.note': ({ ledger_id, note }) => {
      acts.note(ledger_id, note);
      return done([ledger_id]);
    },
    'alerts.clicked': ({ notification_id }) => {
      rooms.onAlerts(acts.clicked(notification_id));
      return {};
    },
    'silences.add': (input) => {
      acts.silence(input);
      return done();
    },
    'mutes.end': ({ id }) => {
      acts.endMute(id);
      return done();
    },
    'away.seen': () => {
      away.seen();
      face.changed();
      return {};
    },
  };
}
