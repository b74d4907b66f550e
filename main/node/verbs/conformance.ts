// Main, command line: `barograph conformance`: checks a service against every rule of the specification.

import type { CheckStatus, Finding } from '../../../conformance/check.ts';
import { type Report, runKit, unknownChecks } from '../../../conformance/kit.ts';
import { UsageError } from '../../host/command-line.ts';
import { systemClock } from '../../host/system-clock.ts';
import { addressOf, type ServiceFlags, serviceOf } from './service-flags.ts';

export interface ConformanceFlags extends Omit<ServiceFlags, 'url'> {
  readonly json?: boolean;
  readonly only?: string;
  readonly dashboard?: string;
  /** False with --no-write. */
  readonly write: boolean;
}

/** @returns the exit code: 0 when nothing is red */
export async function conformanceVerb(url: string, flags: ConformanceFlags): Promise<number> {
  const service = serviceOf({ ...flags, url: addressOf('URL', url) });
  const only = flags.only === undefined ? null : flags.only.split(',').map((id) => id.trim());
  const [unknown] = unknownChecks(only ?? []);
  if (unknown !== undefined)
    throw new UsageError(`--only ${unknown}: there is no such check. Run without --only to see their names.`);
  const report = await runKit({
    base: new URL(service.url),
    key: service.key,
    dashboard: flags.dashboard === undefined ? null : new URL(addressOf('--dashboard', flags.dashboard)),
    mayWrite: flags.write,
    fetch: (address, init) => fetch(address, init),
    clock: systemClock,
    only: only === null ? null : new Set(only),
    onFinding: flags.json === true ? () => undefined : (finding) => console.log(lineOf(finding)),
  });
  const counts = countsOf(report);
  if (flags.json === true) console.log(JSON.stringify(documentOf(report), null, 2));
  else {
    for (const [name, value] of Object.entries(report.observations)) console.log(`dialect  ${name}: ${value}`);
    console.log(`${counts.green} green, ${counts.red} red, ${counts.skipped} skipped`);
  }
  return counts.red === 0 ? 0 : 1;
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
  return { green: count('green'), red: count('red'), skipped: count('skipped') };
}

const lineOf = ({ status, section, id, rule, detail }: Finding): string =>
  `${status.padEnd(8)} ${`§${section}`.padEnd(5)} ${id.padEnd(30)} ${rule}${detail === '' ? '' : `: ${detail}`}`;
