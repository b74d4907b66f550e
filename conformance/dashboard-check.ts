// Conformance: sections 1 and 5: through a dashboard's proxy the same paths answer without a key.
import type { FetchLike } from '../client/request.ts';
import type { Clock } from '../shared/lib/clock.ts';
import { type Check, check, green, red, skipped } from './check.ts';
import { createProbe } from './probe.ts';

/** @param dashboard its address; null: skipped */
export const dashboardCheck = (dashboard: URL | null, { fetch, clock }: { fetch: FetchLike; clock: Clock }): Check =>
  check('5', 'dashboard', 'Through the dashboard a client sends no key: /api/proxy/ and the path', async () => {
    if (dashboard === null) return skipped('no dashboard was named (--dashboard)');
    const probe = createProbe({ base: dashboard, key: null, fetch, clock, mayWrite: false });
    const { status, body } = await probe.ask('/api/proxy/snapshot');
    return status === 200 && body !== undefined ? green() : red(`GET /api/proxy/snapshot is ${status}`);
  });
