// Main, Node shell: sends requests to the running app, found by run.json.
import type { RunFile } from '../host/run-file.ts';
import { OPEN_PATH, OpenReplySchema } from './loopback-server.ts';

/** Timeout of the running app, ms. */
const LIMIT = 10_000;

/**
 * The address of a new window of the running app.
 * @throws Error with the reason and its remedy
 */
export async function askForWindow(run: RunFile, profile: string | null): Promise<string> {
  if (run.address === null || run.control === null)
    throw new Error(`Barograph runs as a desktop application (process ${run.pid}); its window is opened there.`);
  const answer = await fetch(`${run.address}${OPEN_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ control: run.control, ...(profile === null ? {} : { profile }) }),
    redirect: 'error',
    signal: AbortSignal.timeout(LIMIT),
  });
  const body: unknown = await answer.json().catch(() => null);
  const reply = OpenReplySchema.safeParse(body);
  if (answer.ok && reply.success) return reply.data.address;
  throw new Error(`Barograph (process ${run.pid}) opens no window: it answered ${answer.status}.`);
}
