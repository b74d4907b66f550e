// Main, command line: `barograph listen`: the monitor without a window.
// stdout: one line per entry of the ledger, each once, also across restarts. stderr: arriving webhooks with
// their verification, and forwards.

import { messageFrom } from '../../../shared/channels/channel.ts';
import type { LedgerEntry } from '../../../shared/channels/ledger.ts';
import { NumberedChangesSchema } from '../../../shared/channels/state.ts';
import { writtenState } from '../../../shared/domain/states.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { plainMessage, textOf } from '../../../shared/text/message.ts';
import type { RelayActivity } from '../../core/relay/activity.ts';
import { type AppClient, clientOf, connectToApp } from '../../host/app-client.ts';
import { type Application, openApplication } from '../../host/application.ts';
import { oneLine, UsageError } from '../../host/command-line.ts';
import { onEnd } from '../../host/end-signal.ts';
import type { Occupancy } from '../../host/folder-claim.ts';
import { nameOf } from '../../host/folder-lock.ts';
import { readRunFile } from '../../host/run-file.ts';
import { systemClock } from '../../host/system-clock.ts';
import { embeddedServices } from '../../service/embedded-service.ts';
import { nodeMachine } from '../machine.ts';
import { type ConnectionLines, createConnectionLines, showConnection } from './connection-lines.ts';
import { watchedBy } from './watch-target.ts';

export interface ListenFlags {
  readonly dataDir: string;
  readonly profile?: string;
  readonly url?: string;
  readonly json?: boolean;
  readonly forwardTo?: string;
}

/** Between two attempts to find the app again, ms. */
const RETRY = 1_000;
/** Time limit of the shutdown, ms. */
const STOP_LIMIT = 2_500;

const say = (line: string): void => console.error(oneLine(line));

/**
 * Runs until a signal ends it, or until its output is closed.
 * @throws UsageError where another program monitors the profile
 */
export async function listenVerb(flags: ListenFlags): Promise<void> {
  const end = watchEnd();
  try {
    await listen(flags, end.reached);
  } finally {
    end.stopWatching();
  }
}

async function listen(flags: ListenFlags, end: Promise<void>): Promise<void> {
  const machine = nodeMachine(process.env);
  const { profile, key } = await watchedBy(flags, process.env, machine.fetch);
  const opened = await openApplication({
    request: { dataFolder: flags.dataDir, profile: flags.profile ?? null, alone: { program: 'listen', profile } },
    machine: { ...machine, environment: { ...process.env, ...(key === null ? {} : { BAROGRAPH_KEY: key }) } },
    embedded: embeddedServices(machine.findProxy),
    notifier: {
      show: async () => ({ tier: 'system', detail: plainMessage('listen prints it') }),
      status: () => ({ tier: 'in_app', detail: plainMessage('listen prints it') }),
    },
    openWindow: async () => null,
    say: (line) => say(`barograph: ${line}`),
  });
  const lines = createConnectionLines(profile?.baseUrl ?? `the service of the profile ${flags.profile}`);
  if ('occupied' in opened) await followApp(flags, opened.occupied, lines, end);
  else await monitorAlone(flags, opened.application, { own: profile !== null, lines }, end);
}

/** @param own the profile belongs to this terminal alone */
async function monitorAlone(
  flags: ListenFlags,
  application: Application,
  { own, lines }: { readonly own: boolean; readonly lines: ConnectionLines },
  end: Promise<void>,
) {
  try {
    const core = application.monitor(application.shown);
    const linked = application.core(application.shown);
    if (core === null || linked === null) throw new Error(`The profile ${application.shown} is not running.`);
    const { relay } = core;
    relay.watch((activity) => say(activityLine(activity)));
    linked.attach({
      push(name, payload) {
        if (name !== 'state.changed') return;
        for (const change of NumberedChangesSchema.parse(payload).changes)
          if (change.part === 'connection') showConnection(lines, change.connection);
      },
    });
    await relay.start();
    const client = clientOf(linked.dispatch);
    await forward(client, flags.forwardTo ?? null, own);
    showConnection(lines, (await client.call('state.snapshot', {})).connection);
    const { listening, problem } = relay.view();
    say(
      listening === null
        ? `relay: ${problem === null ? 'switched off' : textOf(problem)}`
        : `relay: ${listening.address}`,
    );
    await follow(client, flags, end, async () => undefined);
  } finally {
    await application.close();
  }
}

/** Prints what the running app records, and waits for it while it does not run: it would not get its profile back. */
async function followApp(
  flags: ListenFlags,
  { profile, holder }: Occupancy,
  lines: ConnectionLines,
  end: Promise<void>,
): Promise<void> {
  const client = connectToApp(flags.dataDir, profile);
  // Another terminal may have the profile, beside an app or not.
  if (readRunFile(flags.dataDir) === null || (await isElsewhere(client)))
    throw new UsageError(
      `The profile ${profile} is in use by another program (${nameOf(holder)}). Stop it first, or give another --data-dir.`,
    );
  await forward(client, flags.forwardTo ?? null, false);
  say('barograph: following the running app, which records and notifies');
  await follow(client, flags, end, async () => {
    showConnection(lines, (await client.call('state.snapshot', {})).connection);
  });
}

const isElsewhere = (client: AppClient): Promise<boolean> =>
  client.call('relay.read', {}).then(
    () => false,
    (error) => messageFrom(error).code === 'profile.not_here',
  );

/** Prints each entry once, until the end; calls `check` before each call for entries. */
async function follow(
  client: AppClient,
  { json = false }: ListenFlags,
  end: Promise<void>,
  check: () => Promise<void>,
): Promise<void> {
  let isOver = false;
  const over = end.then(() => {
    isOver = true;
    return null;
  });
  let printed: number | null = null;
  let isAway = false;
  while (!isOver) {
    const next: { entries: LedgerEntry[] } | Error | null = await Promise.race([
      check()
        .then(() => client.call('ledger.follow', { printed }))
        .catch((error: Error) => error),
      over,
    ]);
    if (next === null) return;
    if (next instanceof Error) {
      if (!isAway) say(`barograph: ${messageOf(next)} (listen waits for it)`);
      isAway = true;
      await Promise.race([new Promise((resolve) => systemClock.after(RETRY, resolve as () => void)), over]);
      continue;
    }
    if (isAway) say('barograph: following the running app again');
    isAway = false;
    process.stdout.write(next.entries.map((entry) => `${json ? jsonLine(entry) : line(entry)}\n`).join(''));
    printed = next.entries.at(-1)?.ledger_id ?? printed;
  }
}

interface End {
  /** The process received a signal to end, or its output is closed. From then on its time is limited. */
  readonly reached: Promise<void>;
  /** Stops the watch, which otherwise keeps the process running. */
  readonly stopWatching: Cancel;
}

function watchEnd(): End {
  let stopWatching: Cancel = () => undefined;
  const reached = new Promise<void>((resolve) => {
    const end = (): void => {
      setTimeout(() => process.exit(0), STOP_LIMIT).unref();
      resolve();
    };
    stopWatching = onEnd(process.env, systemClock, end);
    process.stdout.on('error', end);
  });
  return { reached, stopWatching };
}

/** @param own the profile belongs to this terminal alone: targets of an earlier run are removed */
async function forward(client: AppClient, url: string | null, own: boolean): Promise<void> {
  const { targets } = await client.call('relay.read', {});
  if (own)
    for (const target of targets) if (target.url !== url) await client.call('relay.target.remove', { id: target.id });
  if (url === null) return;
  if (targets.some((target) => target.url === url)) {
    say(`forwarding to ${url}, signed with the secret that was shown before`);
    return;
  }
  try {
    const filter = { events: null, symbols: null, states: null };
    const { secret } = await client.call('relay.target.add', { url, filter, allow_public: false });
    say(`forwarding to ${url}, signed with ${secret} (shown once)`);
  } catch (error) {
    throw new UsageError(`--forward-to ${url}: ${messageOf(error)}`);
  }
}

function line({ symbol, to_state, state_word, ...entry }: LedgerEntry): string {
  return [
    entry.occurred_at.replace('.000', ''),
    (symbol ?? '-').padEnd(8),
    (to_state === null ? '-' : writtenState(to_state, state_word)).padEnd(9),
    entry.event.padEnd(18),
    entry.event_id,
    entry.sources.join(','),
  ].join('  ');
}

function jsonLine(entry: LedgerEntry): string {
  const { ledger_id, event_id, seq, event, symbol, occurred_at, received_at, body } = entry;
  // The keys are part of the command's interface.
  return JSON.stringify({
    ...{ ledger_id, event_id, seq, event, symbol },
    ...{ state: entry.state_name, occurred_at, received_at, inlets: entry.sources, body },
  });
}

function activityLine(activity: RelayActivity): string {
  if (activity.kind === 'arrived') {
    const { event, event_id, proof, secret, result, message } = activity.arrival;
    return `webhook: verified (${proof}, ${secret} secret), ${result.replace('_', ' ')}: ${event} ${event_id} ${message === null ? '' : textOf(message)}`.trim();
  }
  if (activity.kind === 'refused')
    return `webhook: refused (${activity.refused.reason.replaceAll('_', ' ')}): ${textOf(activity.refused.message)}`;
  const { url, eventId, status, error } = activity;
  return error === null
    ? `passed on: ${eventId} to ${url} (answered ${status})`
    : `not passed on yet: ${eventId} to ${url}: ${textOf(error)}`;
}
