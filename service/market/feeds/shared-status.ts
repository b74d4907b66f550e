// Service, market feeds: what the leader of a cluster says about its feed, which the other nodes repeat.
import { z } from 'zod';
import { MINUTE_MS } from '../../../shared/lib/time.ts';
import { PRICE_FAULTS, type PriceFault } from '../types.ts';
import type { FeedStatus } from './feed-market.ts';
import type { FeedReport } from './feed-report.ts';

const FaultSchema = z.object({
  kind: z.enum(PRICE_FAULTS),
  reason: z.string(),
  /** A constant delay, ms. */
  delayMs: z.exactOptional(z.number()),
  /** World ms from which a growing delay is counted. */
  since: z.exactOptional(z.number()),
  /** Wall ms at which the missing price was due. */
  overdueAt: z.exactOptional(z.number()),
});

const StatusSchema = z.object({
  isAvailable: z.boolean(),
  names: z.record(z.string(), z.string()),
  faults: z.record(z.string(), FaultSchema),
  report: z.object({
    name: z.string(),
    status: z.enum(['following', 'failing', 'refused']),
    symbols: z.number(),
    delayMs: z.number(),
    lastPriceAt: z.number().nullable(),
    budgets: z.array(
      z.object({
        account: z.string(),
        perMinute: z.number(),
        left: z.number(),
        quietUntil: z.number().nullable(),
      }),
    ),
    fault: z.object({ at: z.number(), message: z.string() }).nullable(),
    refused: z.array(z.tuple([z.string(), z.string()])),
    historyDone: z.number(),
    isHistoryStopped: z.boolean(),
  }),
});
type Status = z.infer<typeof StatusSchema>;

/** The leader's part of a status. */
export interface LeaderStatus {
  readonly status: Required<FeedStatus>;
  readonly report: FeedReport;
  /** Names by symbol. */
  readonly names: Readonly<Record<string, string>>;
}

export interface WrittenStatus {
  readonly text: string;
  /** Equal for two texts that differ only in what every request changes. */
  readonly key: string;
}

export function writtenStatus({ status, report, names }: LeaderStatus, now: number): WrittenStatus {
  const faults: Record<string, z.infer<typeof FaultSchema>> = {};
  for (const symbol of Object.keys(names)) {
    const fault = status.health(symbol, now);
    const overdueAt = status.overdueAt(symbol, now);
    if (fault === null) continue;
    const { kind, reason, delayMs } = fault;
    faults[symbol] = {
      ...{ kind, reason },
      ...(overdueAt === null ? {} : { overdueAt }),
      ...(delayMs === undefined ? {} : overdueAt === null ? { delayMs } : { since: now - delayMs }),
    };
  }
  const whole: Status = {
    isAvailable: status.available(),
    names,
    faults,
    report: { ...report, budgets: [...report.budgets], refused: [...report.refused] },
  };
  const { lastPriceAt } = report;
  const minute = lastPriceAt === null ? null : Math.floor(lastPriceAt / MINUTE_MS);
  const key = JSON.stringify({ ...whole, report: { ...whole.report, budgets: null, lastPriceAt: minute } });
  return { text: JSON.stringify(whole), key };
}

/** What other nodes know about the leader's feed. */
export interface RepeatedStatus extends Required<FeedStatus> {
  /** null: no node has followed the feed yet. */
  report(): FeedReport | null;
  name(symbol: string): string | null;
}

/** @param read the newest text; null: none yet */
export function repeatedStatus(read: () => string | null): RepeatedStatus {
  let text: string | null = null;
  let parsed: Status | null = null;
  const current = (): Status | null => {
    const newest = read();
    if (newest === text) return parsed;
    text = newest;
    const result = newest === null ? null : StatusSchema.safeParse(JSON.parse(newest));
    // A leader of another version may write another form.
    parsed = result?.success === true ? result.data : null;
    return parsed;
  };
  return {
    available: () => current()?.isAvailable ?? true,
    health(symbol, now): PriceFault | null {
      const status = current();
      if (status === null) return { kind: 'delayed', reason: 'No node follows the feed yet' };
      const fault = status.faults[symbol];
      if (fault === undefined) return null;
      const { kind, reason, delayMs, since } = fault;
      const delay = since === undefined ? delayMs : now - since;
      return { kind, reason, ...(delay === undefined ? {} : { delayMs: delay }) };
    },
    overdueAt: (symbol) => current()?.faults[symbol]?.overdueAt ?? null,
    report() {
      const report = current()?.report;
      return report === undefined ? null : { ...report, refused: new Map(report.refused) };
    },
    name: (symbol) => current()?.names[symbol] ?? null,
  };
}
