// Contract: the type of a sabotage, and the parts that several of them share.
import { createHmac } from 'node:crypto';
import type { PassedAnswer, PassedRequest, Sabotage } from '../../harness/broken-service.ts';

export interface Violation {
  readonly what: string;
  /** Checks that must be red. */
  readonly red: readonly string[];
  /** Checks that run before, because they request what the others examine. */
  readonly first?: readonly string[];
  readonly sabotage: Sabotage;
  /** Deadline of an answer, ms, where one is withheld. */
  readonly answerLimit?: number;
}

export const KEY = 'svc_test_conformance00001';
export const LISTS = [
  'snapshot',
  'history',
  'alert-transitions',
  'alerts',
  'market-news',
  'regime-history',
  'briefings',
];
export const KEYED = [
  'snapshot',
  'signal',
  'history',
  'alert-transitions',
  'alerts',
  'factors',
  'market-news',
  'validation',
  'archetypes',
];
export const all = (prefix: string, names: readonly string[]): string[] => names.map((name) => `${prefix}-${name}`);

// biome-ignore lint/suspicious/noExplicitAny: any part of an answer may be broken
export type AnyJson = any;
type Change = (answer: PassedAnswer, request: PassedRequest) => void;
/** Changes successful answers to paths that begin like this. */
export const at = (path: string, change: Change): Sabotage => ({
  answer: (answer, request) => {
    if (request.path.startsWith(path) && answer.status < 300) change(answer, request);
  },
});
/** Changes errors of this status. */
export const errors = (status: number, change: Change): Sabotage => ({
  answer: (answer, request) => {
    if (answer.status === status) change(answer, request);
  },
});
export const fails = (path: string, status: number, body: object, headers: Record<string, string> = {}): Sabotage => ({
  answer: (answer, request) => {
    if (!request.path.startsWith(path)) return;
    answer.status = status;
    answer.body = body;
    Object.assign(answer.headers, headers);
  },
});
export const without = (...names: string[]): Sabotage => ({
  request: (request) => {
    const url = new URL(request.path, 'http://x');
    for (const name of names) url.searchParams.delete(name);
    request.path = `${url.pathname}${url.search}`;
  },
});
export const events = (change: (event: AnyJson) => void): Sabotage => ({
  delivery: (delivery) => {
    const event = JSON.parse(delivery.body);
    change(event);
    delivery.body = JSON.stringify(event);
    return true;
  },
});
/** Changes events before they are signed with the secret of their subscription. */
export function signed(change: (event: AnyJson) => void): Sabotage {
  const secrets = new Map<string, string>();
  return {
    answer: ({ status, body }, { path }) => {
      if (path === '/signals/subscribe' && status < 300 && body?.signing_secret !== undefined)
        secrets.set(body.url, body.signing_secret);
    },
    delivery: (delivery) => {
      const event = JSON.parse(delivery.body);
      change(event);
      delivery.body = JSON.stringify(event);
      const secret = secrets.get(delivery.target);
      if (secret !== undefined)
        delivery.headers['x-service-signature'] = createHmac('sha256', secret).update(delivery.body).digest('hex');
      return true;
    },
  };
}
export const dropped = (name: string): Sabotage => ({ delivery: ({ body }) => !body.includes(`"event":"${name}"`) });
/** The stream ignores its filters. */
export const unfiltered: Sabotage = {
  request: (request) =>
    Object.assign(request, { path: request.path.replace(/^\/stream\?(symbols|severity).*/, '/stream') }),
};
export const powers = (change: (body: AnyJson) => void): Sabotage => at('/api/archetypes', ({ body }) => change(body));
/** Parameters of a request. */
export const paramsOf = (path: string): URLSearchParams => new URL(path, 'http://x').searchParams;
export const later = (iso: string, ms: number): string => new Date(Date.parse(iso) + ms).toISOString();
/** Replaces a part of every request. */
export const asked = (pattern: RegExp, to: string): Sabotage => ({
  request: (request) => {
    request.path = request.path.replace(pattern, to);
  },
});
export const isList = ({ path }: { path: string }): boolean =>
  /^\/(snapshot|history|alert|market-news|regime\/\w+\/history|api\/briefings\?)/.test(path);
