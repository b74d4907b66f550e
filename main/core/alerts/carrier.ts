// Main, core: hands one intent to where it goes: the desktop, or the outlet of a rule. Its words are made here, from the ledger, at every attempt.
import type { Outlet } from '../../../shared/domain/alert-rules.ts';
import { err, messageOf, ok } from '../../../shared/lib/result.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Intent } from '../ledger/tellings.ts';
import type { KeyVault, NotificationRequest, Notifier, Outlets } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import { transitionOf } from '../state/alerts.ts';
import type { WorldClock } from '../state/world-clock.ts';
import { changesUpTo } from './flapping.ts';
import type { Answered } from './handover.ts';
import { isLate } from './judge.ts';
import type { RuleBook } from './rule-book.ts';
import { blindRequest, digestRequest, drillRequest, plainRequest, requestFor, titleOf } from './words.ts';

export interface CarrierOptions {
  readonly ledger: Pick<Ledger, 'tellings' | 'entries' | 'transaction'>;
  readonly book: Pick<RuleBook, 'get'>;
  readonly profile: Profile;
  readonly notifier: Notifier;
  readonly outlets: Outlets;
  readonly vault: KeyVault;
  readonly isReplay: () => boolean;
  readonly world: Pick<WorldClock, 'now' | 'at' | 'face'>;
}

export interface Carrier {
  carry(intent: Intent): Promise<Answered>;
  /** Sends a test to the outlet of a rule. Rejects, with words for the user, where it was not taken. */
  test(rule: string, outlet: Outlet): Promise<string>;
}

/** The keychain's name for the secret of an outlet. It goes with the place: another server never gets it. */
export const secretAccount = (rule: string, outlet: Outlet): string =>
  `outlet:${rule}:${outlet.kind === 'mail' ? `${outlet.user ?? ''}@${outlet.host}` : outlet.url.replace(/^(https?:\/\/[^/]+).*$/, '$1')}`;

export function createCarrier(options: CarrierOptions): Carrier {
  const { ledger, book, profile, notifier, outlets, vault, isReplay, world } = options;

  const entry = (ledgerId: number): EntryRow => {
    const [row] = ledger.entries.byLedgerIds([ledgerId]);
    if (row === undefined) throw new Error(`The ledger has no event ${ledgerId}.`);
    return row;
  };
  /** How late a webhook brought it, world ms; null: in time, or something else brought it first. */
  const lateBy = ({
    inlets,
    received_ms,
    occurred_s,
  }: Pick<EntryRow, 'inlets' | 'received_ms' | 'occurred_s'>): number | null => {
    const late = world.at(received_ms) - occurred_s * 1000;
    return inlets.split(',')[0] === 'relay' && isLate(late, world) ? late : null;
  };
  const wordsFor = (intent: Intent): NotificationRequest => {
    // An outlet tells what the desktop tells, under a name of its own.
    const [id = intent.id] = intent.id.split('@');
    const common = { id, environment: profile.environment, replay: isReplay(), now: world.now() };
    if (intent.kind === 'notice') return plainRequest(common, 'An alert rule does not work', intent.reason, null);
    if (intent.kind === 'blind') return blindRequest(common, intent.reason);
    if (intent.kind === 'drill') return drillRequest(common, intent.reason);
    const row = entry(intent.ledgerId);
    const transition = transitionOf(row);
    if (intent.kind === 'digest') {
      // There may be thousands: their bodies are not read.
      const members = ledger.tellings.membersOf(id);
      const others = ledger.entries.byLedgerIds(
        members.flatMap(({ ledger_id, to_state }) => (to_state === null ? [ledger_id] : [])),
      );
      return digestRequest({
        ...common,
        gravest: transition,
        members,
        late: members.filter((member) => lateBy(member) !== null).length,
        others: others.map(({ event, symbol, body }) => `${titleOf(event, symbol, body)}.`),
      });
    }
    if (transition === null) return plainRequest(common, titleOf(row.event, row.symbol, row.body), '', row.symbol);
    const changes = changesUpTo(ledger, transition.symbol, row.occurred_s * 1000);
    return requestFor({
      ...common,
      transition,
      baseRate: intent.baseRate,
      again: intent.kind === 'again',
      changes,
      late: lateBy(row),
    });
  };
  /** Where the keychain cannot be asked it is tried without: many outlets need no secret, and one that does refuses. */
  const send = async (rule: string, outlet: Outlet, request: NotificationRequest): Promise<string> => {
    const kept = await vault
      .getPassword(profile.name, secretAccount(rule, outlet))
      .then(ok, (thrown) => err(messageOf(thrown)));
    try {
      return await outlets.send(outlet, request, kept.ok ? kept.value : null);
    } catch (thrown) {
      throw kept.ok ? thrown : new Error(`${messageOf(thrown)} Its secret could not be read: ${kept.error}`);
    }
  };

  return {
    async carry(intent) {
      // A digest may name thousands.
      const request = ledger.transaction(() => wordsFor(intent));
      if (intent.outlet === 'desktop') {
        const { tier, detail } = await notifier.show(request);
        return { outcome: tier === 'system' ? 'shown' : 'in_app', detail };
      }
      const outlet = book.get(intent.outlet)?.outlet ?? null;
      if (outlet === null) return { outcome: 'dropped', detail: 'The rule has no outlet any more.' };
      return { outcome: 'sent', detail: await send(intent.outlet, outlet, request) };
    },
    async test(rule, outlet) {
      const body = 'This is a test. A real alert would name a symbol, its state and the time.';
      const request = plainRequest(
        { id: `barograph:test:${rule}`, environment: profile.environment, replay: false },
        'Barograph test',
        body,
        null,
      );
      return send(rule, outlet, request);
    },
  };
}
