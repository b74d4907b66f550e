// Main, core: learns the service's formats and costs from its answers; stores no content.
import { listKey } from '../../../client/client.ts';
import { resetForm } from '../../../client/limit-headers.ts';
import type { Interceptor } from '../../../client/request.ts';
import type { Compatibility, ConnectionDetails, Quota } from '../../../shared/channels/connection.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { AnyRoute } from '../../../shared/wire/route.ts';
import { routes } from '../../../shared/wire/routes.ts';
import { type Fields, isFields, text } from '../compat/fields.ts';
import { createCalls } from './calls.ts';
import { createQuotaStore, slowing } from './quota.ts';
import { createSkew } from './skew.ts';

export interface ServiceObserver {
  readonly interceptor: Interceptor;
  compatibility(): Compatibility;
  skew(): ConnectionDetails['skew'];
  calls(): Pick<ConnectionDetails, 'calls' | 'counted_for'>;
  quota(): Quota;
  /** The factor by which polling should be slowed. */
  slowed(): number;
}

/** Most paths named for each spelling of error codes. */
const MAX_PATHS = 12;
/** Longest displayed name of a service. */
const LONGEST = 80;

/** @param usualCost calls per hour of polling at its normal interval */
export function createServiceObserver(clock: Clock, usualCost: () => number): ServiceObserver {
  const calls = createCalls(clock);
  const quotaStore = createQuotaStore(clock);
  const skew = createSkew();
  const lower = new Set<string>();
  const upper = new Set<string>();
  let seen: Pick<Compatibility, 'factors' | 'reset' | 'list_key' | 'cursor_key' | 'service' | 'interface'> = {
    factors: null,
    reset: null,
    list_key: null,
    cursor_key: null,
    service: null,
    interface: null,
  };

  const learnList = (route: AnyRoute, value: unknown): void => {
    if (Array.isArray(value)) seen = { ...seen, list_key: '' };
    if (!isFields(value) || !('has_more' in value || 'next_cursor' in value)) return;
    const key = listKey(value, route.path);
    if (key !== undefined)
      seen = { ...seen, list_key: key.slice(0, LONGEST), cursor_key: 'next_cursor' in value ? 'next_cursor' : null };
  };
  const learnCode = (route: AnyRoute, value: unknown): void => {
    const code = isFields(value) ? text(value.code) : null;
    if (code === null || !/[a-z]/i.test(code)) return;
    const spelt = code === code.toUpperCase() ? upper : lower;
    if (spelt.size < MAX_PATHS) spelt.add(route.path);
  };
  const learnRoot = (value: unknown): void => {
    if (!isFields(value)) return;
    const name = [text(value.service), text(value.version)].filter((part) => part !== null).join(' ');
    if (name !== '') seen = { ...seen, service: name.slice(0, LONGEST) };
  };
  const slowed = (): number => {
    // Calls of the start happen once: they are no rate, and slow nothing.
    const paced = calls.countedFor().enough ? calls.perHour() : [];
    const others = paced.reduce((sum, { cause, per_hour }) => sum + (cause === 'signals' ? 0 : per_hour), 0);
    return slowing(quotaStore.summary(0), others, usualCost());
  };

  return {
    interceptor: {
      head(route, response, began, ended) {
        const { status, headers } = response;
        calls.count(route);
        if (route.access !== 'open') quotaStore.onResponse(status, headers);
        skew.onDate(headers.get('date'), began, ended);
        const reset = resetForm(headers.get('x-ratelimit-reset'));
        const version = headers.get('x-service-version');
        seen = {
          ...seen,
          reset: reset ?? seen.reset,
          interface: version === null ? seen.interface : version.slice(0, LONGEST),
        };
      },
      body(route, status, value) {
        if (status >= 400) learnCode(route, value);
        else if (route === (routes.root as unknown as AnyRoute)) learnRoot(value);
        else if (FACTORS.has(route)) seen = { ...seen, factors: factorForm(value) ?? seen.factors };
        else learnList(route, value);
      },
    },
    compatibility: () => ({ ...seen, lower_codes: [...lower], upper_codes: [...upper] }),
    skew: skew.estimate,
    calls: () => ({ calls: calls.perHour(), counted_for: calls.countedFor() }),
    quota: () => ({ ...quotaStore.summary(calls.lastMinute()), slowed: slowed() }),
    slowed,
  };
}

const FACTORS: ReadonlySet<AnyRoute> = new Set([routes.factors, routes.archetypes] as unknown as AnyRoute[]);

/** Variant A is a map of powers, variant B rows (docs/contract.md 3). */
function factorForm(value: unknown): Compatibility['factors'] {
  const isMap = isFields(value) && isFields(value.powers);
  const rows = Array.isArray(value) || (isFields(value) && hasRows(value));
  if (isMap) return rows ? 'map_and_rows' : 'map';
  return rows ? 'rows' : null;
}
const hasRows = (value: Fields): boolean => Array.isArray(value.factors) || Array.isArray(value.dimensions);
