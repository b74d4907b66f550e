// Main, command line: `barograph conformance`: checks a service by the rules of the specification.

import { checkService } from '../../../client/address.ts';
import { createKeyGate } from '../../../client/key-gate.ts';
import type { FetchLike } from '../../../client/request.ts';
import type { CheckStatus, Finding } from '../../../conformance/check.ts';
import { type Report, runKit, unknownChecks } from '../../../conformance/kit.ts';
import { namedPeer } from '../../core/profiles/peer.ts';
import { UsageError } from '../../host/command-line.ts';
import { listenerAt } from '../../host/listener.ts';
import { systemClock } from '../../host/system-clock.ts';
import { openProcessNetwork } from '../../service/process-network.ts';
import { addressOf, type NamedService, refusal, type ServiceFlags, serviceOf } from './service-flags.ts';

export interface ConformanceFlags extends Omit<ServiceFlags, 'url'> {
  readonly json?: boolean;
  readonly only?: string;
  readonly dashboard?: string;
  /** False with --no-write. */
  readonly write: boolean;
}

/** @returns the exit code: 0 when nothing is red */
export async function conformanceVerb(url: string | undefined, flags: ConformanceFlags): Promise<number> {
  if (url === undefined) throw new UsageError('conformance needs the address of a service, or --feed NAME.');
  const service = serviceOf({ ...flags, url: addressOf('URL', url) });
  const only = flags.only === undefined ? null : flags.only.split(',').map((id) => id.trim());
  const [unknown] = unknownChecks(only ?? []);
  if (unknown !== undefined)
    throw new UsageError(`--only ${unknown}: there is no such check. Run without --only to see their names.`);
  const send = await provenFetch(service, openProcessNetwork(process.env).fetch);
  const report = await runKit({
    service: {
      base: new URL(service.url),
      key: service.key,
      mayWrite: flags.write,
      fetch: send,
      clock: systemClock,
    },
    dashboard: flags.dashboard === undefined ? null : new URL(addressOf('--dashboard', flags.dashboard)),
    only: only === null ? null : new Set(only),
    onFinding: flags.json === true ? () => undefined : (finding) => console.log(lineOf(finding)),
  });
  const counts = countsOf(report);
  if (flags.json === true) console.log(JSON.stringify(documentOf(report), null, 2));
  else {
    for (const [name, value] of Object.entries(report.observations)) console.log(`dialect  ${name}: ${value}`);
    console.log(
      `${counts.green} green, ${counts.red} red, ${counts.skipped} skipped, own extensions: ${counts.extension}`,
    );
  }
  return counts.red === 0 ? 0 : 1;
}

/**
 * The kit makes requests of its own. Each passes the key gate, as those of the client do, so that no other
 * program gets the key, even if it takes the address during the checks.
 * @throws Error where no request may be sent, or the program at the address does not prove itself
 */
async function provenFetch({ url, key, trust }: NamedService, plain: FetchLike): Promise<FetchLike> {
  if (key === null) return plain;
  const address = checkService({ baseUrl: url, key }, { name: 'this command', environment: null });
  if (!address.ok) throw refusal(address.error);
  const base = address.value;
  if (base.protocol === 'https:') return plain;
  const gate = createKeyGate({ base, key, fetch: plain, clock: systemClock, peer: namedPeer(trust, listenerAt) });
  const admit = async (signal: AbortSignal): Promise<void> => {
    const refused = await gate.admit(signal);
    if (refused !== null) throw refusal(refused);
  };
  await admit(new AbortController().signal);
  return async (target, init) => {
    // A dashboard has another address and gets no key.
    if (new URL(target).origin !== base.origin) return plain(target, init);
    await admit(init?.signal ?? new AbortController().signal);
    try {
      return await plain(target, init);
    } catch (error) {
      gate.lost();
      throw error;
    }
  };
}

/**
 * Output of --json. Its keys are part of the command's interface: `verdict` and `dialect` stay, whatever the
 * code calls them.
 */
const documentOf = (report: Report) => ({
  url: report.url,
  counts: countsOf(report),
  checks: report.findings.map(({ status, detail, ...check }) => ({ ...check, verdict: status, detail })),
  dialect: report.observations,
});

function countsOf({ findings }: Report): Record<CheckStatus, number> {
  const count = (status: CheckStatus): number => findings.filter((one) => one.status === status).length;
  return { green: count('green'), red: count('red'), skipped: count('skipped'), extension: count('extension') };
}

const lineOf = ({ status, section, id, rule, detail }: Finding): string =>
  `${status.padEnd(9)} ${`§${section}`.padEnd(5)} ${id.padEnd(30)} ${rule}${detail === '' ? '' : `: ${detail}`}`;
