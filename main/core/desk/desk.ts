// Main, core: shares with the monitors of the same account who deals with an alert, through the service. Off until
// the user gives a name. What is done meanwhile is kept here, and sent when the service can be reached.
import { randomUUID } from 'node:crypto';
import type { Client } from '../../../client/client.ts';
import type { DeskView, deskChannels } from '../../../shared/channels/desk.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import { MINUTE_MS, SECOND_MS } from '../../../shared/lib/time.ts';
import { type DeskAct, MOST_RELEASES } from '../../../shared/wire/desk.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreContext, CoreModule } from '../module.ts';
import { createNextCheck } from '../notifications/next-check.ts';
import type { Profile } from '../profiles/settings.ts';
import { holderOf, oneLine, openIds } from './acts.ts';
import { createExchange } from './exchange.ts';
import { settle } from './settle.ts';

export interface Desk extends CoreModule {
  readonly handlers: Handlers<typeof deskChannels>;
  /**
   * Keeps what was done here with an alert, to be sent. Call it in the transaction that does it.
   * @param by who, where it was not the user of this monitor
   * @param at of an acknowledgement: its time, this computer's clock, ms
   */
  share(
    row: EntryRow,
    act: DeskAct['act'],
    more?: { readonly by?: string; readonly note?: string; readonly at?: number },
  ): void;
}

export interface DeskDeps {
  readonly context: CoreContext;
  readonly ledger: Ledger;
  readonly client: Pick<Client, 'call' | 'page'>;
  readonly mayAsk: () => boolean;
  /** Ledger ids of the alerts that need somebody. */
  readonly attention: { read(): ReadonlySet<number> };
}

/** Pause before acts are sent, ms: several at once are one exchange. */
const PAUSE = 200;
/** Between two readings, ms: while an alert needs somebody, and else. */
const READ_EVERY = { open: 5 * SECOND_MS, calm: MINUTE_MS };
/** Acts that wait, as they are counted. */
const MOST = 1_000;

export function createDesk(deps: DeskDeps): Desk {
  const { context, ledger, mayAsk, attention } = deps;
  const { events, guard, ports, profile } = context;
  const { clock } = guard;
  const { deskActs } = ledger;
  const next = createNextCheck(clock);
  let view: Omit<DeskView, 'by' | 'waiting'> = { synced_at: null, problem: null };
  let running: Promise<void> | null = null;
  let isStopped = false;

  const stored = (): Profile | undefined => ports.settings.read().profiles.find(({ name }) => name === profile.name);
  const by = (): string | null => stored()?.desk?.by ?? null;
  const account = (): string => `${profile.baseUrl ?? ''} ${stored()?.keys?.saved_at ?? ''}`;
  const exchange = createExchange({ context, ledger, client: deps.client, by, account, isStopped: () => isStopped });

  const run = async (): Promise<void> => {
    if (by() !== null && mayAsk()) {
      const problem = await exchange();
      if (isStopped) return;
      view = { synced_at: problem === null ? timestamp(clock.now()) : view.synced_at, problem };
    }
    plan();
  };
  const plan = (): void => {
    if (by() === null) return;
    // What was done during an exchange is not in it.
    const isBehind = view.problem === null && deskActs.unsent(1).length > 0;
    soon(isBehind ? PAUSE : attention.read().size > 0 ? READ_EVERY.open : READ_EVERY.calm);
  };
  const soon = (ms: number): void =>
    next.within(ms, () => {
      if (running !== null) return;
      running = run().finally(() => {
        running = null;
      });
      guard.go(running);
    });
  /** What was done by others before their alert came. */
  const settleAdded = (added: readonly { readonly event: { readonly eventId: string } }[]): void => {
    if (by() === null || !deskActs.hasAny()) return;
    const changed = ledger.transaction(() =>
      settle(
        ledger,
        by(),
        added.map(({ event }) => event.eventId),
        clock.now(),
        null,
      ),
    );
    if (changed.length > 0) events.emit('alertsChanged', { ledgerIds: changed });
  };

  return {
    share(row, act, more = {}) {
      // Alerts of this monitor alone, of prices and of other programs, have ids that no other monitor knows.
      if (row.transition !== null) addAct(ledger, by(), row, { at: clock.now(), act, ...more });
    },
    handlers: {
      'desk.read': () => ({ by: by(), waiting: deskActs.unsent(MOST).length, ...view }),
      'desk.save'({ by: name }) {
        const changed = ({ desk: _, ...one }: Profile): Profile =>
          name === null ? one : { ...one, desk: { by: name } };
        ports.settings.change((now) => ({
          ...now,
          profiles: now.profiles.map((one) => (one.name === profile.name ? changed(one) : one)),
        }));
        view = { synced_at: null, problem: null };
        soon(0);
        return {};
      },
    },
    on: {
      alertsChanged: plan,
      recorded({ added }) {
        if (added.length > 0) settleAdded(added);
        plan();
      },
      serviceTrusted: () => soon(0),
    },
    start: () => soon(0),
    async stop() {
      isStopped = true;
      next.stop();
      await running;
    },
  };
}

interface OwnAct {
  readonly act: DeskAct['act'];
  readonly at: number;
  readonly by?: string;
  readonly note?: string;
}

/** @param name of this monitor's user; null: the desk is off */
function addAct(
  { deskActs }: Pick<Ledger, 'deskActs'>,
  name: string | null,
  { event_id }: EntryRow,
  { act, at, by = '', note = '' }: OwnAct,
): void {
  const acts = deskActs.of(event_id);
  const releases = act === 'released' ? openIds(acts) : [];
  // While the desk is off, the end of what it had is kept: the next act would bring the acknowledgement back.
  const own = name ?? (releases.length > 0 ? holderOf(acts)?.by : null);
  if (own == null) return;
  const one = { event_id, act, by: oneLine(by).slice(0, 60) || own, at: timestamp(at), note: oneLine(note) };
  // An act takes so many: an alert may have been acknowledged more often.
  do deskActs.add({ ...one, id: randomUUID(), releases: releases.splice(0, MOST_RELEASES) });
  while (releases.length > 0);
}
