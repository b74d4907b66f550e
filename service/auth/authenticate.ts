// Service, auth: identifies the caller of a request and checks its scope.
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../shared/lib/clock.ts';
import { type Environment, KEY_PREFIXES, type KeyScope, keyEnvironment, scopeCovers } from '../../shared/wire/keys.ts';
import type { Plan } from '../../shared/wire/limits.ts';
import type { AnyRoute } from '../../shared/wire/route.ts';
import { Refusal } from '../refusal.ts';
import type { ApiKeyStore, StoredKey } from '../store/api-key-store.ts';

/** The key of a request, with the terms of its account. */
export interface Caller extends StoredKey {
  readonly plan: Plan;
}

export interface AccessRules {
  readonly environment: Environment;
  /** Plan of accounts without their own plan. */
  readonly plan: Plan;
  /** Every account stops at its quota. */
  readonly hardCap: boolean;
  /** Validation metrics take X-API-Key only (specification 4.4). */
  readonly metricsByApiKeyOnly: boolean;
}

/**
 * @throws Refusal unauthorized without a live key of this environment, invalid_request when both headers are
 *   present and differ, forbidden when the key's scope does not cover the route
 */
export type Authenticator = (headers: IncomingHttpHeaders, route: AnyRoute) => Caller;

const CHALLENGE = { 'www-authenticate': 'Bearer realm="Market Risk Signal Service"' } as const;
const OTHER: Readonly<Record<Environment, Environment>> = { sandbox: 'production', production: 'sandbox' };
const TOO_LITTLE: Readonly<Record<KeyScope, string>> = {
  read: 'This key may not read.',
  webhooks: 'This key may read only. Subscriptions, and answers about prices, need a key of the scope webhooks.',
  account: 'Keys and terms of an account need a key of the scope account, or a session of the dashboard that has it.',
};
const METRICS_PATH = '/api/validation/metrics';

export function createAuthenticate(keys: ApiKeyStore, clock: Clock, rules: AccessRules): Authenticator {
  const { environment } = rules;
  return (headers, route) => {
    const { key, bearer } = presentedKey(headers);
    if (key === null) {
      throw new Refusal(
        'unauthorized',
        'This needs a key: send it in the header X-API-Key, or as Authorization: Bearer <key>.',
        CHALLENGE,
      );
    }
    if (bearer && rules.metricsByApiKeyOnly && route.path === METRICS_PATH) {
      throw new Refusal('unauthorized', 'This endpoint takes the key in the header X-API-Key only.', CHALLENGE);
    }
    if (keyEnvironment(key) === OTHER[environment]) {
      throw new Refusal(
        'unauthorized',
        `This is the ${environment} environment, and the key is one of ${OTHER[environment]}. Use a key that begins with ${KEY_PREFIXES[environment]}.`,
        CHALLENGE,
      );
    }
    const found = keys.find(key, clock.now());
    if (found === null) {
      throw new Refusal(
        'unauthorized',
        `This key is not known to the ${environment} environment, or it has ended.`,
        CHALLENGE,
      );
    }
    const { access } = route;
    if (access !== 'open' && !scopeCovers(found.scope, access)) throw new Refusal('forbidden', TOO_LITTLE[access]);
    return { ...found, plan: found.plan ?? rules.plan, hardCap: found.hardCap || rules.hardCap };
  };
}

/** @returns the key, and whether it came only as Authorization: Bearer */
function presentedKey(headers: IncomingHttpHeaders): { key: string | null; bearer: boolean } {
  const direct = headers['x-api-key'];
  const key = typeof direct === 'string' && direct.trim() !== '' ? direct.trim() : null;
  const bearer = /^Bearer[ ]+(\S+)[ ]*$/i.exec(headers.authorization ?? '')?.[1] ?? null;
  if (key !== null && bearer !== null && key !== bearer) {
    throw new Refusal('invalid_request', 'X-API-Key and Authorization carry different keys. Send one of them.');
  }
  return { key: key ?? bearer, bearer: key === null };
}
