// Pure, test: the tables of TCP sockets, in the form of the kernel of a little-endian computer.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { notRun, whyNotLinux } from '../../test/harness/not-run.ts';
import { addressOf, tcpSocketsOf } from './tcp-table.ts';

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
/** A row as the kernel prints it. */
const row = (local: string, remote: string, state: string, uid: number, inode: number): string =>
  `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000 ${String(uid).padStart(5)}        0 ${inode} 1 0000000000000000 100 0 0 10 0`;
const tables =
  (v4: readonly string[], v6: readonly string[] = []) =>
  (path: string): string =>
    [HEAD, ...(path.endsWith('6') ? v6 : v4), ''].join('\n');
const failing = (failures: Readonly<Record<string, string>>) => (path: string) => {
  const code = failures[path];
  if (code !== undefined) throw Object.assign(new Error(code), { code });
  return tables([row('0100007F:12AC', '00000000:0000', '0A', 1000, 11)])(path);
};

test('the rows of a port at either end, of both families', () => {
  const read = tables(
    [
      row('0100007F:12AC', '00000000:0000', '0A', 1000, 11),
      row('0200007F:D431', '0100007F:12AC', '01', 666, 12),
      row('0100007F:D431', '0100007F:0050', '01', 666, 13),
    ],
    [
      row('0000000000000000FFFF00000100007F:D432', '0000000000000000FFFF00000100007F:12AC', '01', 0, 14),
      row('00000000000000000000000001000000:12AC', '00000000000000000000000000000000:0000', '0A', 1000, 15),
      row('B80D0120000000000000000001000000:12AC', '00000000000000000000000000000000:0000', '0A', 1000, 16),
    ],
  );
  const seen = tcpSocketsOf(read, 0x12ac)?.map(({ local, remote, isListening, uid, inode }) =>
    [local.address, local.port, remote.address, remote.port, isListening ? 'listens' : '', uid, inode].join(' '),
  );
  expect(seen).toEqual([
    '127.0.0.1 4780 0.0.0.0 0 listens 1000 11',
    '127.0.0.2 54321 127.0.0.1 4780  666 12',
    '127.0.0.1 54322 127.0.0.1 4780  0 14',
    '0:0:0:0:0:0:0:1 4780 0:0:0:0:0:0:0:0 0 listens 1000 15',
    '2001:db8:0:0:0:0:0:1 4780 0:0:0:0:0:0:0:0 0 listens 1000 16',
  ]);
});

test('only rows of the port are taken apart, and one that is cut off is dropped', () => {
  const others = Array.from({ length: 3 }, () => row('0100007F:0050', '0100007F:D431', '01', 1, 1));
  const cut = row('0100007F:12AC', '00000000:0000', '0A', 1000, 11);
  const read = (path: string) => (path.endsWith('6') ? '' : [HEAD, ...others, cut.slice(0, 40)].join('\n'));
  expect(tcpSocketsOf(read, 0x12ac)).toEqual([]);
  expect(tcpSocketsOf((path) => (path.endsWith('6') ? '' : `${HEAD}\n${cut}`), 0x12ac)).toHaveLength(1);
  // Digits of a port that stand elsewhere, and a port that ends likewise.
  expect(tcpSocketsOf(tables([row('0100007F:1050', '0050007F:0051', '01', 50, 50)]), 0x50)).toEqual([]);
});

test('a table that cannot be read is nothing known; a computer without IPv6 has one table', () => {
  expect(tcpSocketsOf(failing({ '/proc/net/tcp': 'ENOENT', '/proc/net/tcp6': 'ENOENT' }), 0x12ac)).toBeNull();
  expect(tcpSocketsOf(failing({ '/proc/net/tcp': 'EACCES' }), 0x12ac)).toBeNull();
  expect(tcpSocketsOf(failing({ '/proc/net/tcp6': 'EACCES' }), 0x12ac)).toBeNull();
  expect(tcpSocketsOf(failing({ '/proc/net/tcp6': 'ENOENT' }), 0x12ac)).toHaveLength(1);
});

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['[::ffff:7f00:1]', '127.0.0.1'],
  ['::1', '0:0:0:0:0:0:0:1'],
  ['[::1]', '0:0:0:0:0:0:0:1'],
  ['::', '0:0:0:0:0:0:0:0'],
  ['2001:DB8::1:0:0:2', '2001:db8:0:0:1:0:0:2'],
  ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
  ['localhost', 'localhost'],
])('the address %s is compared as %s', (given, expected) => {
  expect(addressOf(given)).toBe(expected);
});

test.skipIf(whyNotLinux).each(['127.0.0.1', '::1', '::'])(
  `a listening socket of this computer at %s is found${notRun(whyNotLinux)}`,
  async (host) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const at = server.address();
    if (at === null || typeof at === 'string') throw new Error('no port');
    const found = tcpSocketsOf((path) => readFileSync(path, 'latin1'), at.port)?.filter((one) => one.isListening);
    await new Promise((resolve) => server.close(resolve));
    expect(found).toMatchObject([{ local: { address: addressOf(host), port: at.port }, uid: process.getuid?.() }]);
  },
);
