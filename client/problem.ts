// Client: why a request to the service failed, as data, with a message for the user.
import { retryAfter } from '../shared/lib/backoff.ts';
import { PROGRESS_HEADER } from '../shared/wire/progress.ts';

export type ProblemKind =
  /** Nothing was sent: the address, the key and the profile do not fit together. */
  | 'not_sent'
  /** Only a request for a proof was sent; the listener did not prove that it knows the key. */
  | 'unproven'
  | 'network'
  | 'timeout'
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'not_covered'
  | 'rate_limited'
  | 'unavailable'
  | 'server'
  | 'redirected'
  | 'too_large'
  /** Success, but the body does not match the route. */
  | 'unreadable'
  /** This program ended the call. */
  | 'cancelled'
  /** The answer arrived, but this computer could not store it. */
  | 'not_stored';

export interface ServiceProblem {
  readonly kind: ProblemKind;
  /** HTTP status; null: no answer. */
  readonly status: number | null;
  /** The service's code in lower case, or ""; for `unproven` the reason; or `WITHOUT_KEY`. */
  readonly code: string;
  /** One line for the user. */
  readonly message: string;
  /** Wait before a retry that the service asks for, ms, or null. */
  readonly retryAfter: number | null;
  /** How far the service is with what it still computes, as it says, unchecked; absent: it does not. */
  readonly progress?: Readonly<Record<string, unknown>>;
  /** First characters of an answer that is too large. */
  readonly beginning?: string;
}

/** Code of a 401 to a request that carried no key, whatever the service calls it. */
export const WITHOUT_KEY = 'without_key';

/** A problem as an exception, for the iterators. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly problem: ServiceProblem;

  constructor(found: ServiceProblem) {
    super(found.message);
    this.problem = found;
  }
}

export const problem = (kind: ProblemKind, message: string, status: number | null = null): ServiceProblem => ({
  kind,
  status,
  code: '',
  message,
  retryAfter: null,
});

/** True when the service could not be reached at all. */
export const isUnreachable = (found: ServiceProblem): boolean => found.kind === 'network' || found.kind === 'timeout';

const LONGEST_WAIT = 3_600_000;

/**
 * From an error answer: reads the specification's body and RFC 9457; without either the status decides
 * (contract 20 to 22).
 */
export function problemFromAnswer(status: number, headers: Headers, body: string, now: number): ServiceProblem {
  const fields = jsonFields(body);
  const code = textOf(fields.code).toLowerCase();
  const progress = headers.get(PROGRESS_HEADER);
  const message = textOf(fields.message) || textOf(fields.detail) || textOf(fields.title);
  return {
    kind: kindOf(status, code),
    status,
    code,
    message: (message === '' ? `The service answered ${status}.` : message).slice(0, 500),
    retryAfter: waitOf(headers, now),
    ...(progress === null ? {} : { progress: jsonFields(progress) }),
  };
}

/** Reads a date against the service's own clock; caps the wait at an hour. */
function waitOf(headers: Headers, now: number): number | null {
  const there = Date.parse(headers.get('date') ?? '');
  const wait = retryAfter(headers.get('retry-after'), Number.isNaN(there) ? now : there);
  return wait === null ? null : Math.min(wait, LONGEST_WAIT);
}

function kindOf(status: number, code: string): ProblemKind {
  if (code === 'symbol_not_covered' || code === 'invalid_symbol') return 'not_covered';
  if (status === 401) return 'unauthorized';
  if (status === 403 || status === 402) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  if (status === 502 || status === 503 || status === 504) return 'unavailable';
  return status >= 500 ? 'server' : 'bad_request';
}

function jsonFields(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
