// Main, core: tests an address and a key before they become a profile.
// The key stays in the core; the window gets the name of a draft.
import { randomBytes } from 'node:crypto';
import { checkService } from '../../../client/address.ts';
import { createClient } from '../../../client/client.ts';
import { createCredentials, type KeyMode } from '../../../client/credentials.ts';
import { isUnreachable, type ServiceProblem } from '../../../client/problem.ts';
import type { FetchLike } from '../../../client/request.ts';
import { RefusedError } from '../../../shared/channels/channel.ts';
import type { Check, ConnectionTest } from '../../../shared/channels/profiles.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { profileNameFrom } from '../../../shared/settings/profiles.ts';
import { type Environment, KEY_PREFIXES, keyEnding, keyEnvironment } from '../../../shared/wire/keys.ts';

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

/** An abandoned key is discarded after this, ms. */
export const DRAFT_LIFE = 15 * 60_000;
/** Deadline of a stream's first byte, ms. */
export const FIRST_BYTE_LIMIT = 20_000;
/** Tolerated difference of two clocks, ms. The header of the answer has whole seconds. */
const CLOCKS_AGREE = 2_000;
const CLOCKS_MAY_DIFFER = 5 * 60_000;

export function createConnectionTests(fetch: FetchLike, clock: Clock): ConnectionTests {
  let stored: { readonly name: string; readonly draft: Draft; readonly cancel: Cancel } | null = null;
  const forget = (): void => {
    stored?.cancel();
    stored = null;
  };
  const keep = (draft: Draft): string => {
    forget();
    const name = randomBytes(12).toString('hex');
    stored = { name, draft, cancel: clock.after(DRAFT_LIFE, forget) };
    return name;
  };
  const find = (name: string): Draft => {
    if (stored?.name === name) return stored.draft;
    throw new RefusedError({ code: 'refused', message: 'What was tried is forgotten by now. Paste the key again.' });
  };

  return {
    async run(given, taken) {
      forget();
      const request = { ...given, key: given.mode === 'proxy' ? null : (given.key?.trim() ?? null) };
      const base = addressOf(request);
      let last: Headers | null = null;
      let presented: 'api-key' | 'bearer' | null = null;
      const watched: FetchLike = async (url, init) => {
        const response = await fetch(url, init);
        last = response.headers;
        presented = new Headers(init?.headers).has('authorization') ? 'bearer' : 'api-key';
        return response;
      };
      const ask = (key: string | null) =>
        createClient({ base, credentials: createCredentials(key, request.mode), fetch: watched, clock });

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
        const message = `${base.host} is ${named === 'sandbox' ? 'a sandbox' : 'production'}, and this is to be ${request.environment}. No key was sent.`;
        return { draft: null, name, ...keyHint, checks: [{ of: 'service', outcome: 'bad', message, detail: '' }] };
      }
      if (!root.ok && isUnreachable(root.error)) return { draft: keep(request), name, ...keyHint, checks };

      if (request.key === null && request.mode !== 'proxy') {
        const message = 'No key was given. The profile waits until there is one.';
        return {
          draft: keep(request),
          name,
          ...keyHint,
          checks: [...checks, { of: 'key', outcome: 'unknown', message, detail: '' }],
        };
      }
      const keyed = ask(request.key);
      const answer = await keyed.page('snapshot', { query: { limit: 1 } });
      keyed.close();
      const key = keyCheck(request, answer.ok ? null : answer.error, presented);
      checks.push({
        ...key,
        message: request.key === null ? key.message : key.message.replaceAll(request.key, '[hidden]'),
      });
      checks.push(clockCheck(last, clock.now()));
      return { draft: key.outcome === 'bad' ? null : keep(request), name, ...keyHint, checks };
    },

    async stream(name) {
      const { key, mode, ...rest } = find(name);
      const base = addressOf({ ...rest, key, mode });
      const client = createClient({ base, credentials: createCredentials(key, mode), fetch, clock });
      const ending = new AbortController();
      const cancel = clock.after(FIRST_BYTE_LIMIT, () => ending.abort());
      const began = clock.now();
      try {
        const opened = await client.openStream({}, {}, ending.signal);
        if (!opened.ok) return streamCheck('unknown', opened.error.message);
        const reader = opened.value.body?.getReader();
        const first = await reader?.read();
        await reader?.cancel();
        if (first === undefined || first.done === true)
          return streamCheck('unknown', 'It ended before it said anything.');
        return {
          of: 'stream',
          outcome: 'good',
          message: 'Stream: the first byte is there',
          detail: `${clock.now() - began} ms`,
        };
      } catch (error) {
        return streamCheck('unknown', ending.signal.aborted ? 'Nothing came within 20 s.' : messageOf(error));
      } finally {
        cancel();
        ending.abort();
        client.close();
      }
    },
    draft: find,
    forget,
  };
}

/** @throws RefusedError; nothing was sent */
function addressOf({ url, key, environment }: Draft): URL {
  const named = key === null ? null : keyEnvironment(key);
  if (named !== null && named !== environment)
    throw new RefusedError({
      code: 'refused',
      message: `This is a ${named} key. Nothing was sent. Use a key that begins with ${KEY_PREFIXES[environment]}.`,
    });
  const address = checkService({ baseUrl: url, key }, { name: 'this profile', environment });
  if (address.ok) return address.value;
  throw new RefusedError({ code: 'refused', message: address.error.message });
}

function prefixOf(key: string | null): string | null {
  if (key === null) return null;
  const named = keyEnvironment(key);
  return named === null ? '' : KEY_PREFIXES[named];
}

function serviceCheck(base: URL, error: ServiceProblem | null, took: number): Check {
  const how = base.protocol === 'https:' ? 'TLS checked' : 'this computer, no TLS needed';
  if (error === null)
    return { of: 'service', outcome: 'good', message: `${base.host} answered`, detail: `${took} ms, ${how}` };
  if (isUnreachable(error)) return { of: 'service', outcome: 'unknown', message: error.message, detail: '' };
  return {
    of: 'service',
    outcome: 'good',
    message: `${base.host} answered, and does not say what it is`,
    detail: `${took} ms, ${how}`,
  };
}

function keyCheck({ mode }: Draft, error: ServiceProblem | null, form: 'api-key' | 'bearer' | null): Check {
  const of = 'key';
  if (error === null && mode === 'proxy')
    return { of, outcome: 'good', message: 'The dashboard signs; no key is sent', detail: '' };
  if (error === null)
    return {
      of,
      outcome: 'good',
      message: `Key accepted as ${form === 'bearer' ? 'Bearer' : 'X-API-Key'}`,
      detail: '',
    };
  if (error.kind === 'unauthorized')
    return { of, outcome: 'bad', message: `The service does not accept this key. ${error.message}`, detail: '' };
  return { of, outcome: 'unknown', message: `The key could not be tried. ${error.message}`, detail: '' };
}

/** Retries, signatures and ages depend on clocks. */
function clockCheck(headers: Headers | null, now: number): Check {
  const there = Date.parse(headers?.get('date') ?? '');
  if (Number.isNaN(there))
    return { of: 'clock', outcome: 'unknown', message: 'The service does not report its time', detail: '' };
  const off = Math.abs(now - there);
  if (off <= CLOCKS_AGREE) return { of: 'clock', outcome: 'good', message: 'Clock agrees within 2 s', detail: '' };
  const message = `Clocks differ by ${Math.round(off / 1000)} s. Set this computer's clock.`;
  return { of: 'clock', outcome: off > CLOCKS_MAY_DIFFER ? 'unknown' : 'good', message, detail: '' };
}

const streamCheck = (outcome: Check['outcome'], why: string): Check => ({
  of: 'stream',
  outcome,
  message: `Stream: ${why}`,
  detail: 'Barograph asks every few seconds instead',
});
