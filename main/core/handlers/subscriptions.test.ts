// Test: subscriptions and deliveries of any service: tolerant readers, the relay's path hidden.
import { describe, expect, test } from 'vitest';
import type { Client, Page } from '../../../client/client.ts';
import { problem, type ServiceProblem } from '../../../client/problem.ts';
import { RefusedError } from '../../../shared/channels/channel.ts';
import { subscriptionChannels } from '../../../shared/channels/subscriptions.ts';
import { err, ok } from '../../../shared/lib/result.ts';
import { saying } from '../../../test/harness/saying.ts';
import { createSubscriptionHandlers } from './subscriptions.ts';

const OWN = 'http://127.0.0.1:4781/in/secretsecretsecret';

function rig(pages: readonly (Partial<Page> | ServiceProblem)[], value: unknown | ServiceProblem = {}, mayAsk = true) {
  const requests: { name: string; ask: unknown }[] = [];
  const isProblem = (one: unknown): one is ServiceProblem =>
    typeof one === 'object' && one !== null && 'kind' in one && 'retryAfter' in one;
  const left = [...pages];
  const client = {
    page: async (name: string, ask: unknown) => {
      requests.push({ name, ask });
      const next = left.shift() ?? {};
      return isProblem(next) ? err(next) : ok({ rows: [], hasMore: false, nextCursor: null, took: 1, ...next });
    },
    read: async (name: string, ask: unknown) => {
      requests.push({ name, ask });
      return isProblem(value) ? err(value) : ok({ value, headers: new Headers(), took: 1 });
    },
  } as unknown as Pick<Client, 'read' | 'page'>;
  return { requests, handlers: createSubscriptionHandlers({ client, mayAsk: () => mayAsk, ownUrl: () => OWN }) };
}
const listing = subscriptionChannels['subscriptions.read'].output;
const log = subscriptionChannels['deliveries.page'].output;

describe('subscriptions', () => {
  test('every page is read; a missing field is null; the own path is not shown', async () => {
    const { handlers, requests } = rig([
      { rows: [{ id: 'a', url: OWN, status: 'active', events: ['regime.flip'] }], hasMore: true, nextCursor: 'c1' },
      {
        rows: [
          { id: 'b', url: 'https://x.example/h', status: 'PAUSED', paused_at: 1_795_198_658 },
          { url: 'no id' },
          7,
        ],
      },
    ]);
    const read = listing.parse(await handlers['subscriptions.read']({}));
    expect(read.subscriptions.map(({ id, url, own, status }) => [id, url, own, status])).toEqual([
      ['a', 'http://127.0.0.1:4781/in/\u2026', true, 'active'],
      ['b', 'https://x.example/h', false, 'paused'],
    ]);
    expect(read.subscriptions[1]).toMatchObject({ events: null, created_at: null, rotating: false });
    expect(JSON.stringify(read)).not.toContain('secretsecret');
    expect(requests[1]).toMatchObject({ ask: { query: { after: 'c1' } } });
  });
  test('a service without a list is named as such; a refusal is quoted; a forbidden request is not sent', async () => {
    expect(await rig([problem('not_found', 'x', 404)]).handlers['subscriptions.read']({})).toMatchObject({
      supported: false,
    });
    const refused = rig([problem('forbidden', 'Not on this plan.', 403)]);
    await expect(refused.handlers['subscriptions.read']({})).rejects.toThrow('Not on this plan.');
    const { handlers, requests } = rig([], {}, false);
    await expect(handlers['subscriptions.read']({})).rejects.toThrow('not connected');
    await expect(handlers['subscriptions.remove']({ id: 'a' })).rejects.toThrow('Nothing was changed');
    expect(requests).toEqual([]);
  });
  test('a secret is read under either name, and may be missing', async () => {
    const request = { url: 'https://x.example/h', events: null, symbols: null };
    expect(await rig([], { id: 'n', signing_secret: 's1' }).handlers['subscriptions.add'](request)).toEqual({
      id: 'n',
      secret: 's1',
    });
    expect(await rig([], { id: 'n', secret: 's2' }).handlers['subscriptions.add'](request)).toEqual({
      id: 'n',
      secret: 's2',
    });
    expect(await rig([], { id: 'n' }).handlers['subscriptions.add'](request)).toEqual({ id: 'n', secret: null });
    await expect(rig([], { id: 'n' }).handlers['subscriptions.rotate']({ id: 'n' })).rejects.toBeInstanceOf(
      RefusedError,
    );
    await expect(
      rig([], problem('not_found', 'x', 404)).handlers['subscriptions.promote']({ id: 'n' }),
    ).rejects.toThrow('no way to do that');
  });
});

describe('deliveries', () => {
  test('a delivery is read in any format; its symbol comes from the body', async () => {
    const row = {
      id: 'dlv_1',
      event: 'signal.high_risk',
      status: 'delivered',
      kind: 'test',
      request: { body: '{"data":{"symbol":"spy"}}' },
      attempts: [{ status: 503, latency_ms: 412, error: 'answered 503' }, 'x', { status: 200 }],
    };
    const { handlers, requests } = rig([
      {
        rows: [row, { id: 'dlv_0', status: 'strange', request: { body: 'no json' } }, {}],
        hasMore: true,
        nextCursor: 'n',
      },
    ]);
    const page = log.parse(await handlers['deliveries.page']({ subscription: 's', status: 'failed', after: null }));
    expect(page.next).toBe('n');
    expect(page.deliveries).toMatchObject([
      {
        id: 'dlv_1',
        symbol: 'SPY',
        kind: 'test',
        attempts: [
          { number: 1, status: 503, error: 'answered 503' },
          { number: 2, status: 200 },
        ],
      },
      { id: 'dlv_0', symbol: null, kind: 'event', status: 'pending', body: 'no json', attempts: [] },
    ]);
    expect(requests[0]).toMatchObject({
      name: 'deliveries',
      ask: { params: { id: 's' }, query: { status: 'failed' } },
    });
  });
  test('a service without deliveries is named as such; a period is sent again', async () => {
    const none = rig([problem('not_found', 'x', 404)]).handlers['deliveries.page']({
      subscription: 's',
      status: null,
      after: null,
    });
    await expect(none).rejects.toThrow('keeps no log');
    const range = { subscription: 's', from: '2026-03-02T00:00:00.000Z', to: null };
    expect(await rig([], { queued: 4, has_more: true }).handlers['deliveries.recover'](range)).toEqual({
      queued: 4,
      more: true,
    });
  });
  test('the outcome of a test', async () => {
    const tested = (attempts: unknown) => rig([], { id: 'd', attempts }).handlers['subscriptions.test']({ id: 's' });
    expect(await tested([{ status: 200, error: null }])).toMatchObject({ ok: true });
    expect(await tested([{ status: null, error: 'no answer' }])).toMatchObject({
      ok: false,
      message: saying(/no answer/),
    });
    expect(await tested([])).toMatchObject({ ok: false });
  });
});
