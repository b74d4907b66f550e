// Bench: runs nginx with its module nchan in a process of its own.
// A POST publishes to its channel, and readers get an event stream.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../row.ts';

const MODULE = '/usr/lib/nginx/modules/ngx_nchan_module.so';
const CONNECTIONS = 4_096;

export interface NchanServer {
  readonly port: number;
  readonly pid: number;
  /** @returns the id of the message */
  publish(text: string): Promise<string>;
}

/** @returns why this computer has no nginx with nchan; null where it has one */
export const whyNoNchan = (): string | null =>
  spawnSync('nginx', ['-v']).error === undefined && existsSync(MODULE)
    ? null
    : 'there is no nginx with nchan (Debian: nginx-light libnginx-mod-nchan)';

const configuration = (folder: string, port: number): string => `
load_module ${MODULE};
daemon off;
master_process off;
pid ${join(folder, 'nginx.pid')};
error_log ${join(folder, 'error.log')};
worker_rlimit_nofile ${2 * CONNECTIONS};
events { worker_connections ${CONNECTIONS}; }
http {
  access_log off;
  client_body_temp_path ${join(folder, 'body')};
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location = /publish { nchan_publisher; nchan_channel_id bench; nchan_message_buffer_length 10; }
    location = /stream { nchan_subscriber eventsource; nchan_channel_id bench; nchan_subscriber_first_message newest; }
  }
}
`;

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}

export async function openNchan(context: Context): Promise<NchanServer> {
  const folder = join(context.folder, 'nginx');
  mkdirSync(join(folder, 'body'), { recursive: true });
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, port));
  const child = spawn('nginx', ['-p', folder, '-c', file], { stdio: ['ignore', 'inherit', 'inherit'] });
  context.defer(() => child.kill('SIGKILL'));
  const publish = async (text: string): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}/publish`, { method: 'POST', body: text });
    const id = /last message id: (\S+)/.exec(await answer.text())?.[1];
    if (id === undefined) throw new Error(`nchan did not take a message: ${answer.status}`);
    return id;
  };
  for (let attempt = 0; ; attempt += 1) {
    try {
      await publish('ready');
      break;
    } catch (error) {
      if (child.pid === undefined || child.exitCode !== null || attempt > 100) throw error;
      await pause(50);
    }
  }
  return { port, pid: child.pid as number, publish };
}
