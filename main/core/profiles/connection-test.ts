// Main, core: tests an address and a key before they become a profile.
// The key stays in the core; the window gets the name of a draft.
import { checkService } from '../../../client/address.ts';
import { createClient } from '../../../client/client.ts';
import type { KeyMode } from '../../../client/credentials.ts';
import { readDashboardAddress, signIn } from '../../../client/dashboard.ts';
import type { ListenerReader, Peer } from '../../../client/key-gate.ts';
import { isUnreachable, type ServiceProblem } from '../../../client/problem.ts';
import type { FetchLike } from '../../../client/request.ts';
import { refused } from '../../../shared/channels/channel.ts';
import type { Check, ConnectionTest } from '../../../shared/channels/profiles.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { profileNameFrom } from '../../../shared/settings/profiles.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import { type Environment, KEY_PREFIXES, keyEnding, keyEnvironment } from '../../../shared/wire/keys.ts';
import { withoutEcho } from '../compat/echo.ts';
import { createDraftStore } from './draft-store.ts';
import { newPeer } from './peer.ts';

/** The tested values of a future profile. */
export interface Draft {
  readonly environment: Environment;
  readonly url: string;
  readonly mode: KeyMode;
  readonly key: string | null;
}

export interface ConnectionTests {
  /** @throws RefusedError where address and key do not fit; nothing was sent then */
  run(request: Draft, taken: readonly string[]): Promise<ConnectionTest>;
  /** Waits for the first byte of the stream. @throws RefusedError for an unknown draft */
  stream(draft: string): Promise<Check>;
  /** @throws RefusedError for an unknown draft */
  draft(name: string): Draft;
  /** Discards every draft. */
  forget(): void;
}

/** Deadline of a stream's first byte, ms. */
export const FIRST_BYTE_LIMIT = 20_000;
/** Tolerated difference of two clocks, ms. The header of the answer has whole seconds. */
const CLOCKS_AGREE = 2_000;
const CLOCKS_MAY_DIFFER = 5 * 60_000;

export function createConnectionTests(fetch: FetchLike, clock: Clock, listener?: ListenerReader): ConnectionTests {
  const drafts = createDraftStore<Draft>(clock);
  const peer = newPeer(listener);
  return {
    async run(given, taken) {
      drafts.forget();
      const request = await signedIn({ ...given, key: given.key?.trim() ?? null }, fetch, clock);
      const base = addressOf(request);
      let last: Headers | null = null;
      let presented: 'api-key' | 'bearer' | null = null;
      const watched: FetchLike = async (url, init) => {
        const response = await fetch(url, init);
        last = response.headers;
        presented = new Headers(init?.headers).has('authorization') ? 'bearer' : 'api-key';
        return response;
      };
      const ask = (key: string | null) => createClient({ base, key, mode: request.mode, peer, fetch: watched, clock });

      const began = clock.now();
      const open = ask(null);
      const root = await open.call('root');
      open.close();
      const checks: Check[] = [
        serviceCheck(base, root.ok ? null : root.error, root.ok ? root.value.took : clock.now() - began),
      ];
      const named = root.ok ? root.value.value.environment : null;
      const keyHint = { prefix: prefixOf(request.key), ending: request.key === null ? null : keyEnding(request.key) };
      const name = profileNameFrom(request.environment === 'production' ? 'production' : base.hostname, taken);
      if (named !== null && named !== request.environment) {
        const values = { host: base.host, named, expected: request.environment };
        const bad = checked('service', 'bad', message('check.other_environment', values));
        return { draft: null, name, ...keyHint, checks: [bad] };
      }
      if (!root.ok && isUnreachable(root.error)) return { draft: drafts.keep(request), name, ...keyHint, checks };

      if (request.key === null && request.mode !== 'proxy') {
        checks.push(checked('key', 'unknown', message('check.no_key')));
        return { draft: drafts.keep(request), name, ...keyHint, checks };
      }
      const keyed = ask(request.key);
      const answer = await keyed.page('snapshot', { query: { limit: 1 } });
      keyed.close();
      const accepted = keyCheck(request, answer.ok ? null : answer.error, presented);
      checks.push(accepted, clockCheck(last, clock.now()));
      return { draft: accepted.outcome === 'bad' ? null : drafts.keep(request), name, ...keyHint, checks };
    },

    stream: async (name) => testStream(drafts.find(name), fetch, clock, peer),
    draft: drafts.find,
    forget: drafts.forget,
  };
}

/**
 * Exchanges a one-time link of a dashboard for its address and a session, the only key behind a dashboard.
 * @throws RefusedError where the link is too old, or the address may get no session
 */
async function signedIn(given: Draft, fetch: FetchLike, clock: Clock): Promise<Draft> {
  if (given.mode !== 'proxy') return given;
  const link = readDashboardAddress(given.url);
  if (link === null || link.token === null) return { ...given, key: null };
  addressOf({ ...given, key: null });
  const session = await signIn(link, fetch, clock.now);
  if (!session.ok) throw refused(plainMessage(session.error.message));
  return { ...given, url: link.dashboard, key: session.value };
}

async function testStream(draft: Draft, fetch: FetchLike, clock: Clock, peer: Peer): Promise<Check> {
  const base = addressOf(draft);
  const client = createClient({ base, key: draft.key, mode: draft.mode, peer, fetch, clock });
  const ending = new AbortController();
  const cancel = clock.after(FIRST_BYTE_LIMIT, () => ending.abort());
  const began = clock.now();
  try {
    const opened = await client.openStream({}, {}, ending.signal);
    if (!opened.ok) return noStream(plainMessage(withoutEcho(opened.error.message, draft.key)));
    const reader = opened.value.body?.getReader();
    const first = await reader?.read();
    await reader?.cancel();
    if (first === undefined || first.done === true) return noStream(message('check.stream_ended'));
    return checked('stream', 'good', message('check.stream'), message('check.took', { ms: clock.now() - began }));
  } catch (error) {
    return noStream(
      ending.signal.aborted
        ? message('check.stream_silent', { seconds: FIRST_BYTE_LIMIT / 1000 })
        : plainMessage(withoutEcho(messageOf(error), draft.key)),
    );
  } finally {
    cancel();
    ending.abort();
    client.close();
  }
}

/** @throws RefusedError before anything is sent */
function addressOf({ url, key, environment }: Draft): URL {
  const named = key === null ? null : keyEnvironment(key);
  if (named !== null && named !== environment) throw refused(message('check.other_key', { named, environment }));
  const address = checkService({ baseUrl: url, key }, { name: 'this profile', environment });
  if (address.ok) return address.value;
  throw refused(plainMessage(address.error.message));
}

function prefixOf(key: string | null): string | null {
  if (key === null) return null;
  const named = keyEnvironment(key);
  return named === null ? '' : KEY_PREFIXES[named];
}

const checked = (of: Check['of'], outcome: Check['outcome'], what: Message, detail: Message | null = null): Check => ({
  of,
  outcome,
  message: what,
  detail,
});

function serviceCheck({ host, protocol }: URL, error: ServiceProblem | null, ms: number): Check {
  if (error !== null && isUnreachable(error)) return checked('service', 'unknown', plainMessage(error.message));
  const what = message(error === null ? 'check.answered' : 'check.nameless', { host });
  return checked(
    'service',
    'good',
    what,
    message(protocol === 'https:' ? 'check.took_tls' : 'check.took_local', { ms }),
  );
}

function keyCheck({ key, mode }: Draft, error: ServiceProblem | null, form: 'api-key' | 'bearer' | null): Check {
  if (error === null && mode === 'proxy') return checked('key', 'good', message('check.dashboard'));
  if (error === null)
    return checked(
      'key',
      'good',
      message('check.key_accepted', { header: form === 'bearer' ? 'Bearer' : 'X-API-Key' }),
    );
  const why = withoutEcho(error.message, key);
  if (error.kind === 'unproven')
    return checked('key', error.code === 'unknown_owner' ? 'unknown' : 'bad', message('check.key_kept', { why }));
  return error.kind === 'unauthorized'
    ? checked('key', 'bad', message('check.key_refused', { why }))
    : checked('key', 'unknown', message('check.key_untried', { why }));
}

/** Compares the clocks, on which retries, signatures and ages depend. */
function clockCheck(headers: Headers | null, now: number): Check {
  const there = Date.parse(headers?.get('date') ?? '');
  if (Number.isNaN(there)) return checked('clock', 'unknown', message('check.no_time'));
  const off = Math.abs(now - there);
  if (off <= CLOCKS_AGREE)
    return checked('clock', 'good', message('check.clocks_agree', { seconds: CLOCKS_AGREE / 1000 }));
  const what = message('check.clocks_differ', { seconds: Math.round(off / 1000) });
  return checked('clock', off > CLOCKS_MAY_DIFFER ? 'unknown' : 'good', what);
}

const noStream = (why: Message): Check =>
  checked('stream', 'unknown', message('check.no_stream', { why }), message('check.polled'));
