// Main, core: exchanges acts of a desk with the service: sends what waits, then reads what others did.
import type { Client } from '../../../client/client.ts';
import type { ServiceProblem } from '../../../client/problem.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import { type DeskAct, DeskActSchema } from '../../../shared/wire/desk.ts';
import { problemMessage } from '../compat/refusals.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import { settle } from './settle.ts';

export interface ExchangeDeps {
  readonly context: Pick<CoreContext, 'guard' | 'events' | 'ports'>;
  readonly ledger: Ledger;
  readonly client: Pick<Client, 'call' | 'page'>;
  /** The name of this monitor's user. */
  readonly by: () => string | null;
  /** The service and its key: another one may be of another account. */
  readonly account: () => string;
  /** The ledger is closed then. */
  readonly isStopped: () => boolean;
}

/** Acts of one request. */
const MOST = 100;
/** As long as the service keeps them. */
const KEPT_FOR = 90 * DAY_MS;

/** @returns a function that exchanges once, and returns why that did not succeed; null: it did */
export function createExchange({
  context,
  ledger,
  client,
  by,
  account,
  isStopped,
}: ExchangeDeps): () => Promise<Message | null> {
  const { deskActs, metadata } = ledger;
  const { clock } = context.guard;
  const { events, ports } = context;

  const send = async (): Promise<ServiceProblem | null> => {
    for (const act of deskActs.unsent(MOST)) {
      const answer = await client.call('addDeskAct', { body: act });
      if (isStopped()) return null;
      if (!answer.ok && !isRefused(answer.error)) return answer.error;
      // It would be refused each time, and keep back all others.
      if (!answer.ok) ports.logger.warn({ problem: answer.error.message }, 'an act of the desk was refused');
      ledger.transaction(() => deskActs.sent(act.id));
    }
    return null;
  };
  const receive = (acts: readonly DeskAct[]): void => {
    const last = acts.at(-1);
    if (last === undefined) return;
    const changed = ledger.transaction(() => {
      for (const act of acts) deskActs.receive(act);
      metadata.set('desk_after', last.id);
      deskActs.prune(clock.now() - KEPT_FOR);
      const eventIds = [...new Set(acts.map(({ event_id }) => event_id))];
      return settle(ledger, by(), eventIds, clock.now(), new Set(acts.map(({ id }) => id)));
    });
    if (changed.length > 0) events.emit('alertsChanged', { ledgerIds: changed });
  };
  const read = async (): Promise<ServiceProblem | null> => {
    for (;;) {
      const after = metadata.get('desk_after') || undefined;
      const answer = await client.page('deskActs', { query: { after, limit: MOST } });
      if (isStopped()) return null;
      if (!answer.ok) return after !== undefined && isRefused(answer.error) ? begin() : answer.error;
      if (metadata.get('desk_account') !== account()) metadata.set('desk_account', account());
      const acts = answer.value.rows.flatMap((row) => DeskActSchema.safeParse(row).data ?? []);
      receive(acts);
      if (!answer.value.hasMore || acts.length === 0) return null;
    }
  };
  /** The service does not know the last act: it is a new one, or was restored. The next exchange begins anew. */
  const begin = (): null => {
    ledger.transaction(() => {
      metadata.set('desk_after', '');
      // What colleagues wrote for one account is nothing for another.
      if (metadata.get('desk_account') === account()) deskActs.sendAgain();
      else deskActs.prune(Number.MAX_SAFE_INTEGER);
    });
    return null;
  };
  return async () => {
    const refused = await send();
    // A key that may not write may read what others did.
    const mayRead = !isStopped() && (refused === null || refused.status === 403);
    const unread = mayRead ? await read() : null;
    const problem = refused ?? unread;
    if (problem === null) return null;
    const { kind, status } = problem;
    const isUnsupported = kind === 'not_found' || status === 405 || status === 501;
    return isUnsupported ? message('desk.unsupported') : problemMessage(problem);
  };
}

/** The service itself says so: a gateway may answer 400 to anything. */
const isRefused = ({ status, code }: ServiceProblem): boolean => status === 400 && code === 'invalid_request';
