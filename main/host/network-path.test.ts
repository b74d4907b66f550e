// Test: the network path of requests: no probe for a local service, rare probes for a remote one.
import { expect, test } from 'vitest';
import { message, textOf } from '../../shared/text/message.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { createNetworkPathReader, readCertificate } from './network-path.ts';

test('a service on this computer needs no probe', () => {
  const requests: string[] = [];
  const read = createNetworkPathReader(
    'http://127.0.0.1:8787',
    async (url) => {
      requests.push(url);
      return { kind: 'unknown', why: 'asked' };
    },
    createManualClock(),
  );
  expect(read()).toEqual({ proxy: message('proxy.loopback'), certificate: message('certificate.local') });
  expect(requests).toEqual([]);
});

test('a remote service is probed once in ten minutes, in the background; a failure is reported', async () => {
  const clock = createManualClock();
  let calls = 0;
  // With an impossible name, no request leaves this computer.
  const read = createNetworkPathReader(
    'https://nowhere.invalid',
    async () => {
      calls += 1;
      if (calls === 2) return { kind: 'unknown', why: 'the proxy file cannot be read' };
      return { kind: 'proxy', url: 'http://user:planted@proxy.example:8080', host: 'proxy.example:8080' };
    },
    clock,
  );
  expect(read().proxy).toEqual(message('network_path.pending'));
  await expect.poll(() => textOf(read().proxy)).toBe('proxy.example:8080, by the environment');
  expect(textOf(read().certificate)).toBe('not seen: the requests go through a proxy');
  expect(calls).toBe(1);
  clock.jump(11 * 60_000);
  read();
  await expect.poll(() => textOf(read().proxy)).toBe('not known: the proxy file cannot be read');
});

test('http has no certificate', async () => {
  expect(await readCertificate(new URL('http://desk.example'))).toEqual(message('certificate.none'));
});
