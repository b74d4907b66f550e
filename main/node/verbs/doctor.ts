// Main, command line: `barograph doctor`: checks all that Barograph needs to notify, with remedies.
import { join } from 'node:path';
import { type Diagnosis, exitCode, linesOf } from '../../diagnostics/check.ts';
import { examineAll } from '../../diagnostics/diagnostics.ts';
import type { DesktopInspection } from '../../diagnostics/machine-findings.ts';
import { findElectron } from '../../electron-binary.ts';
import { createDesktopNotifier } from '../../host/desktop/desktop-notifier.ts';
import { sessionBusAddress } from '../../host/desktop/session-bus.ts';
import { takeKeyFromEnvironment, takePassphraseFromEnvironment } from '../../host/secrets.ts';
import { createFeedChecker } from '../../service/checks.ts';
import { nodeMachine } from '../machine.ts';

export interface DoctorFlags {
  readonly dataDir: string;
  readonly profile?: string;
  readonly json?: boolean;
}

const ROOT = join(import.meta.dirname, '..', '..', '..');

/**
 * @returns the exit code: 0 without a failure
 * @throws UsageError for an unknown profile
 */
export async function doctorVerb({ dataDir, profile, json = false }: DoctorFlags): Promise<number> {
  const machine = nodeMachine(process.env);
  const diagnosis = await examineAll({
    dataFolder: dataDir,
    profile: profile ?? null,
    runKey: takeKeyFromEnvironment(process.env),
    passphrase: takePassphraseFromEnvironment(process.env),
    nodeVersion: process.versions.node,
    desktop: inspectDesktop,
    checkFeed: createFeedChecker(machine.findProxy),
    machine,
  });
  console.log(json ? JSON.stringify(documentOf(diagnosis), null, 2) : linesOf(diagnosis).join('\n'));
  return exitCode(diagnosis);
}

/** Output of --json. Its keys are part of the command's interface: a check has `standing` for its status. */
const documentOf = ({ checks, ...counts }: Diagnosis) => ({
  checks: checks.map(({ name, profile, status, found, cure }) => ({ name, profile, standing: status, found, cure })),
  ...counts,
});

async function inspectDesktop(): Promise<DesktopInspection> {
  const { platform } = process;
  const electron = findElectron(ROOT) !== null;
  if (platform !== 'linux') return { platform, electron, service: null };
  const notifier = await createDesktopNotifier(sessionBusAddress(process.env));
  const service = notifier.status();
  await notifier.close();
  return { platform, electron, service };
}
