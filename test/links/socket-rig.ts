// Test: the link of the Node shell: a real WebSocket to the real loopback server.
// A test can cut it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { listenLoopback } from '../../main/node/loopback-server.ts';
import { createSessions } from '../../main/node/sessions.ts';
import { LINK_PATH } from '../../shared/channels/session-endpoint.ts';
import { createSocketWindowLink, type SocketWindowLink } from '../../shared/channels/socket-link.ts';
import { createClock } from '../../shared/lib/clock.ts';
import { createWebHashes, newNonce } from '../../shared/lib/web-hashes.ts';
import { type LinkRig, TestCore, until } from './rig.ts';

const clock = createClock({ now: Date.now, setTimeout, clearTimeout });

export async function socketRig(): Promise<LinkRig> {
  const page = mkdtempSync(join(tmpdir(), 'barograph-page-'));
  writeFileSync(join(page, 'index.html'), '<!doctype html>');
  const core = new TestCore();
  const sessions = createSessions(clock);
  const serve = (port: number) => listenLoopback({ port, page, sessions, core: () => core, clock });
  let server = await serve(0);
  const { port } = new URL(server.address);
  const links: SocketWindowLink[] = [];
  const open = (session: string, origin?: string): SocketWindowLink => {
    const link = createSocketWindowLink({
      open: () => new WebSocket(`ws://127.0.0.1:${port}${LINK_PATH}`, origin === undefined ? {} : { origin }),
      handshake: { session, host: `127.0.0.1:${port}`, hashes: createWebHashes(crypto), nonce: () => newNonce(crypto) },
      clock,
      random: () => 0,
      onRefused: () => undefined,
      onBad: () => undefined,
    });
    links.push(link);
    return link;
  };
  const session = sessions.trade(sessions.issue('sandbox'));
  const window = open(session ?? '', server.address);
  await until(window, true);
  return {
    core,
    window,
    cut: async () => server.close(),
    restore: async () => {
      server = await serve(Number(port));
    },
    strangers: [
      { name: 'no session', open: async () => open('') },
      { name: 'a session that was never given', open: async () => open('x'.repeat(43)) },
      { name: 'a one-time token instead of a session', open: async () => open(sessions.issue('sandbox')) },
      {
        name: 'a page of another origin with a good session',
        open: async () => open(session ?? '', 'http://127.0.0.1:1'),
      },
    ],
    async close() {
      for (const link of links) link.close();
      await server.close();
      rmSync(page, { recursive: true });
    },
  };
}
