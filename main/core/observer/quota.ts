// Main, core: reads the service's limits, and slows polling accordingly (docs/contract.md 40-45).
import { limitItems, resetIn } from '../../../client/limit-headers.ts';
import type { Quota } from '../../../shared/channels/connection.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';

const HOUR = 3_600_000;
/** A limit that takes longer than this to reset is no per-minute limit, ms. */
const CAP_AFTER = HOUR;
/** Greatest factor by which polling is slowed. */
const SLOWEST = 20;
/** Share of the remaining quota to plan with; the rest is a reserve. */
const PLANNED = 0.9;

export interface QuotaStore {
  /** The head of an answer, at this computer's time. */
  onResponse(status: number, headers: Headers): void;
  summary(lastMinute: number): Omit<Quota, 'slowed'>;
}

export function createQuotaStore(clock: Clock): QuotaStore {
  let month: { readonly limit: number; readonly left: number; readonly ends: number } | null = null;
  let plan: { readonly burst: number; readonly level: number; readonly sustained: number } | null = null;
  let overage = 0;
  let capEnds = 0;
  return {
    onResponse(status, headers) {
      const [field, policy] = [limitItems(headers.get('ratelimit')), limitItems(headers.get('ratelimit-policy'))];
      const now = clock.now();
      const [left, whole] = [field.get('month'), policy.get('month')];
      if (left?.r !== undefined && left.t !== undefined && whole?.q !== undefined)
        month = { limit: whole.q, left: left.r, ends: now + left.t * 1000 };
      const [level, terms] = [field.get('plan'), policy.get('plan')];
      if (level?.r !== undefined && terms?.q !== undefined && terms.burst !== undefined)
        plan = { burst: terms.burst, level: level.r, sustained: terms.q };
      const beyond = Number(headers.get('x-ratelimit-overage') ?? headers.get('overage') ?? 0);
      if (headers.has('x-ratelimit-limit')) overage = Number.isFinite(beyond) && beyond > 0 ? Math.round(beyond) : 0;
      const there = Date.parse(headers.get('date') ?? '');
      const wait = status === 429 ? resetIn(headers.get('x-ratelimit-reset'), Number.isNaN(there) ? now : there) : 0;
      if (wait > CAP_AFTER) capEnds = now + wait;
      else if (status < 400) capEnds = 0;
    },
    summary(lastMinute) {
      const now = clock.now();
      const used = month === null ? 0 : Math.max(0, month.limit - month.left) + overage;
      return {
        month: month === null ? null : { limit: month.limit, used, left_ms: Math.max(0, month.ends - now) },
        burst: plan === null ? null : { limit: plan.burst, used: Math.max(0, plan.burst - plan.level) },
        minute: plan === null ? null : { limit: plan.sustained, used: lastMinute },
        overage,
        capped_until: capEnds > now ? timestamp(capEnds) : null,
        counted: used > 0,
      };
    },
  };
}

/**
 * The factor by which polling should be slowed.
 * @param others calls per hour for all other purposes; @param own calls per hour of polling at its normal
 * interval
 * @returns whole, from 1 (normal) to SLOWEST
 */
export function slowing({ month, counted }: Pick<Quota, 'month' | 'counted'>, others: number, own: number): number {
  if (month === null || !counted || own <= 0) return 1;
  // The last hour of a month is not divided any further.
  const bearable = (PLANNED * Math.max(0, month.limit - month.used) * HOUR) / Math.max(HOUR, month.left_ms) - others;
  if (bearable >= own) return 1;
  return bearable <= own / SLOWEST ? SLOWEST : Math.ceil(own / bearable);
}
