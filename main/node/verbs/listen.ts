// Main, command line: `barograph listen`: the monitor without a window.
// stdout: one line per entry of the ledger, each once, also across restarts. stderr: arriving webhooks with
// their verification, and forwards.

import { writtenState } from '../../../shared/domain/states.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { plainMessage, textOf } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { EntryRow } from '../../core/ledger/entries.ts';
import type { Monitor } from '../../core/monitor.ts';
import type { RelayActivity } from '../../core/relay/activity.ts';
import { openApplication } from '../../host/application.ts';
import { oneLine, UsageError } from '../../host/command-line.ts';
import { onEnd } from '../../host/end-signal.ts';
import { nameOf } from '../../host/folder-lock.ts';
import { systemClock } from '../../host/system-clock.ts';
import { embeddedServices } from '../../service/embedded-service.ts';
import { nodeMachine } from '../machine.ts';
import { watchedBy } from './watch-target.ts';

export interface ListenFlags {
  readonly dataDir: string;
  readonly profile?: string;
  readonly url?: string;
  readonly json?: boolean;
  readonly forwardTo?: string;
}

/** Entries printed in one batch. */
const CHUNK = 200;
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
  const { json = false, forwardTo } = flags;
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
  if ('occupied' in opened) {
    const { profile, holder } = opened.occupied;
    throw new UsageError(
      `The profile ${profile} is in use by another program (${nameOf(holder)}). Stop it first, or give another --data-dir.`,
    );
  }
  const { application } = opened;
  try {
    const core = application.monitor(application.shown);
    if (core === null) throw new Error(`The profile ${application.shown} is not running.`);
    const { relay } = core;
    relay.watch((activity) => say(activityLine(activity)));
    const print = printer(core, json);
    core.attach({ push: () => print.now() });
    await relay.start();
    print.begin();
    forward(core, forwardTo ?? null, profile !== null);
    const { listening, problem } = relay.view();
    say(
      listening === null
        ? `relay: ${problem === null ? 'switched off' : textOf(problem)}`
        : `relay: ${listening.address}`,
    );
    await end;
    print.now();
  } finally {
    await application.close();
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

/** Prints the entries of the ledger that are not printed yet. */
function printer({ entries, relay }: Monitor, json: boolean): { begin(): void; now(): void } {
  let position: number | null = null;
  const now = (): void => {
    if (position === null) return;
    for (let rows = entries(position, CHUNK); rows.length > 0; rows = entries(position, CHUNK)) {
      process.stdout.write(rows.map((row) => `${json ? jsonLine(row) : line(row)}\n`).join(''));
      position = rows.at(-1)?.ledger_id ?? position;
      relay.printed.set(position);
    }
  };
  return {
    begin() {
      position = relay.printed.get();
      now();
    },
    now,
  };
}

/** @param own the profile belongs to this terminal alone: targets of an earlier run are removed */
function forward({ relay }: Monitor, url: string | null, own: boolean): void {
  const { targets } = relay.view();
  if (own)
    for (const target of targets) if (target.url !== url) relay.handlers['relay.target.remove']({ id: target.id });
  if (url === null) return;
  if (targets.some((target) => target.url === url)) {
    say(`forwarding to ${url}, signed with the secret that was shown before`);
    return;
  }
  try {
    const filter = { events: null, symbols: null, states: null };
    const added = relay.handlers['relay.target.add']({ url, filter, allow_public: false });
    if (added instanceof Promise) throw new Error('unexpected');
    say(`forwarding to ${url}, signed with ${added.secret} (shown once)`);
  } catch (error) {
    throw new UsageError(`--forward-to ${url}: ${messageOf(error)}`);
  }
}

function line(row: EntryRow): string {
  const { symbol, transition } = row;
  return [
    timestamp(row.occurred_s * 1000).replace('.000', ''),
    (symbol ?? '-').padEnd(8),
    (transition === null ? '-' : writtenState(transition.to_state, transition.state_word)).padEnd(9),
    row.event.padEnd(18),
    row.event_id,
    row.sources,
  ].join('  ');
}

function jsonLine(row: EntryRow): string {
  const body: unknown = JSON.parse(row.body);
  return JSON.stringify({
    ledger_id: row.ledger_id,
    event_id: row.event_id,
    seq: row.seq,
    event: row.event,
    symbol: row.symbol,
    state: row.transition?.state_name ?? null,
    occurred_at: timestamp(row.occurredAt),
    received_at: timestamp(row.received_ms),
    // The key is part of the command's interface.
    inlets: row.sources.split(','),
    body,
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
