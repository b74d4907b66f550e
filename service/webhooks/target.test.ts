// Service, webhooks, test: allowed targets of deliveries.
import { expect, test } from 'vitest';
import { reach } from './target.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'hooks.example.com': ['93.184.216.34', '2606:2800:220:1::1'],
  'half.example.com': ['93.184.216.34', '10.0.0.5'],
  'inside.example.com': ['192.168.1.10'],
  'mapped.example.com': ['::ffff:169.254.169.254'],
  'compatible.example.com': ['::a9fe:a9fe'],
  'here.example.com': ['127.0.0.1'],
  'odd.example.com': ['not an address'],
};

const resolve = async (name: string): Promise<string[]> => {
  const addresses = NAMES[name];
  if (addresses === undefined) throw new Error('ENOTFOUND');
  return [...addresses];
};

const resolved = (url: string, allowLoopback = true) => reach(new URL(url), { allowLoopback, resolve });

test.each([
  // The same addresses in other spellings of URLs.
  'https://10.1.2.3/',
  'https://167838211/',
  'https://0x0a010203/',
  'https://012.0x1.0x203/',
  'https://172.16.0.1/',
  'https://192.168.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.64.0.1/',
  'https://0.0.0.0/',
  'https://0/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[fc00::1]/',
  'https://[fe80::1]/',
  'https://[ff02::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[64:ff9b::a00:1]/',
  'https://[2002:a00:1::]/',
  'https://[2001:db8::1]/',
  'https://[::127.0.0.1]/',
  'https://[::169.254.169.254]/',
  'https://[::10.0.0.1]/',
  'https://[::8.8.8.8]/',
  'https://[100:0:0:1::1]/',
  'https://[4000::1]/',
  'https://[::2]/',
  'https://compatible.example.com/',
  'https://half.example.com/',
  'https://inside.example.com/',
  'https://mapped.example.com/',
  'https://here.example.com/',
  'https://odd.example.com/',
  'http://hooks.example.com/',
  'http://93.184.216.34/',
  'https://user:pass@hooks.example.com/',
  'https://user@hooks.example.com/',
  'https://hooks.example.com:0/',
  'http://127.0.0.1:0/',
])('%s is never reached, even with loopback allowed', async (url) => {
  expect(await resolved(url)).toMatchObject({ ok: false, error: { why: 'forbidden' } });
});

const LOCAL = [
  'http://127.0.0.1:8080/x',
  'http://127.9.9.9/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://[::1]:9/',
  'http://[::ffff:127.0.0.1]/',
  'http://localhost:1/',
  'https://localhost/',
  'http://receiver.localhost/',
  'http://localhost./',
];

test.each(LOCAL)('%s is this computer: reached when allowed, refused otherwise', async (url) => {
  expect(await resolved(url, true)).toMatchObject({ ok: true });
  expect(await resolved(url, false)).toMatchObject({ ok: false, error: { why: 'forbidden' } });
});

test('a public name is reached at exactly the checked addresses', async () => {
  expect(await resolved('https://hooks.example.com/a?b=1', false)).toEqual({
    ok: true,
    value: [
      { address: '93.184.216.34', family: 4 },
      { address: '2606:2800:220:1::1', family: 6 },
    ],
  });
  expect(await resolved('https://8.8.8.8/', false)).toEqual({ ok: true, value: [{ address: '8.8.8.8', family: 4 }] });
  expect(await resolved('https://[2a00:1450::1]/', false)).toMatchObject({ ok: true });
});

test('a name that does not resolve is not refused: it may resolve at the time of sending', async () => {
  expect(await resolved('https://nowhere.example.com/')).toMatchObject({ ok: false, error: { why: 'unresolved' } });
});
