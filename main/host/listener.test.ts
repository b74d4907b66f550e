// Test: the owner of the program that listens at an address of this computer, read from Linux.
import { createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startForeign } from '../../test/harness/foreign.ts';
import { notRun, whyNotLinux, whyNotRoot } from '../../test/harness/not-run.ts';
import { createListenerReader, listenerAt, listensAt } from './listener.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function listen(host: string): Promise<URL> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  ends.push(() => new Promise((resolve) => server.close(resolve)));
  const at = server.address();
  if (at === null || typeof at === 'string') throw new Error('no port');
  return new URL(`http://${host.includes(':') ? `[${host}]` : host}:${at.port}`);
}
const at = (url: URL, hostname: string): URL => new URL(`http://${hostname}:${url.port}`);

test.skipIf(whyNotLinux)(`a program of this user owns its port${notRun(whyNotLinux)}`, async () => {
  const url = await listen('127.0.0.1');
  expect(listenerAt(url)).toEqual({ owner: 'self', socket: expect.stringMatching(/^\d+$/) });
  expect([listenerAt(at(url, 'localhost')).owner, listenerAt(at(url, '127.0.0.2')).owner]).toEqual(['self', 'unknown']);
  expect([listensAt(process.pid, url), listensAt(process.ppid, url)]).toEqual([true, false]);
});

test.skipIf(whyNotLinux)(`a port at which nobody listens has an unknown owner${notRun(whyNotLinux)}`, async () => {
  expect(listenerAt(new URL('http://127.0.0.1:1'))).toEqual({ owner: 'unknown', socket: null });
  expect(listensAt(process.pid, new URL('http://127.0.0.1:1'))).toBe(false);
});

test.skipIf(whyNotLinux)(
  `a program on all addresses, of either family, owns its port at each of them${notRun(whyNotLinux)}`,
  async () => {
    const url = await listen('0.0.0.0');
    expect([listenerAt(at(url, '127.0.0.1')).owner, listenerAt(at(url, '127.0.0.2')).owner]).toEqual(['self', 'self']);
  },
);

test.skipIf(whyNotLinux)(`a new socket on the same port is recognised as another${notRun(whyNotLinux)}`, async () => {
  const url = await listen('127.0.0.1');
  const before = listenerAt(url).socket;
  for (const end of ends.splice(0)) await end();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(Number(url.port), '127.0.0.1', resolve));
  ends.push(() => new Promise((resolve) => server.close(resolve)));
  expect(listenerAt(url).socket).not.toBe(before);
});

test.skipIf(whyNotLinux)(
  `a reader notices that the socket it has seen is closed, and who came after${notRun(whyNotLinux)}`,
  async () => {
    const read = createListenerReader();
    const url = await listen('127.0.0.1');
    const first = read(url);
    expect([first, read(url), listenerAt(url)]).toEqual([first, first, first]);
    expect(first.owner).toBe('self');
    for (const end of ends.splice(0)) await end();
    expect(read(url)).toEqual({ owner: 'unknown', socket: null });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(Number(url.port), '127.0.0.1', resolve));
    ends.push(() => new Promise((resolve) => server.close(resolve)));
    expect(read(url)).toEqual(listenerAt(url));
    expect(read(url).socket).not.toBe(first.socket);
  },
);

test.skipIf(whyNotRoot)(
  `a reader that saw a program of this user refuses the one of another that came after${notRun(whyNotRoot)}`,
  async () => {
    const read = createListenerReader();
    const url = await listen('127.0.0.1');
    expect(read(url).owner).toBe('self');
    for (const end of ends.splice(0)) await end();
    const foreign = await startForeign({ port: Number(url.port) });
    ends.push(foreign.stop);
    expect(read(url).owner).toBe('other');
  },
);

test.skipIf(whyNotRoot)(`a port of another user’s program is said to be of another${notRun(whyNotRoot)}`, async () => {
  const foreign = await startForeign({ port: 0 });
  ends.push(foreign.stop);
  const url = new URL(`http://127.0.0.1:${foreign.port}`);
  expect(listenerAt(url).owner).toBe('other');
  expect(listenerAt(at(url, 'localhost')).owner).toBe('other');
});
