// Bench: runs Alertmanager in a process of its own.
// It sends every alert at once to a webhook.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../row.ts';
import { freePort } from './nchan.ts';

const PROGRAM = 'prometheus-alertmanager';
const READY_MS = 10_000;

export interface Alertmanager {
  readonly pid: number;
  /** Posts one alert of its own group. */
  alert(symbol: string): Promise<void>;
}

/** @returns why this computer has no Alertmanager; null where it has one */
export const whyNoAlertmanager = (): string | null =>
  spawnSync(PROGRAM, ['--version']).error === undefined ? null : `there is no Alertmanager (Debian: ${PROGRAM})`;

const configuration = (receiver: string): string => `
route: { receiver: bench, group_by: [symbol], group_wait: 0s, group_interval: 1s, repeat_interval: 1h }
receivers: [{ name: bench, webhook_configs: [{ url: "${receiver}", send_resolved: false }] }]
`;

/** @param receiver address of the webhook */
export async function openAlertmanager(context: Context, receiver: string): Promise<Alertmanager> {
  const folder = join(context.folder, 'alertmanager');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'alertmanager.yml');
  writeFileSync(file, configuration(receiver));
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const child = spawn(
    PROGRAM,
    [
      `--config.file=${file}`,
      `--storage.path=${folder}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
      '--log.level=error',
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  context.defer(() => child.kill('SIGKILL'));
  const isReady = (): Promise<boolean> =>
    fetch(`${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let waited = 0; !(await isReady()); waited += 50) {
    if (child.pid === undefined || child.exitCode !== null || waited > READY_MS)
      throw new Error('Alertmanager did not start');
    await pause(50);
  }
  return {
    pid: child.pid as number,
    async alert(symbol) {
      const answer = await fetch(`${address}/api/v2/alerts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([
          { labels: { alertname: 'signal.high_risk', symbol }, annotations: { note: `${symbol} is High Risk` } },
        ]),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`Alertmanager did not take an alert: ${answer.status}`);
    },
  };
}
