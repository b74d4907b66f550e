// Main, diagnostics: turns the inspection of a profile's files and webhooks into findings. Pure.
import { type Finding, fail, good, warn } from './check.ts';
import { size } from './machine-findings.ts';

export interface StoreInspection {
  /** Size, bytes; null: there is none yet. */
  readonly bytes: number | null;
  /** sound; damaged and why; unread: not checked, and why. */
  readonly integrity: { readonly kind: 'sound' } | { readonly kind: 'damaged' | 'unread'; readonly why: string };
}

export interface GapSummary {
  /** Open gaps that back-fill will close: how many, and since when. */
  readonly open: number;
  readonly since: string | null;
  /** Gaps that the service itself has no record of. */
  readonly lost: number;
}

export interface StoresInspection {
  readonly ledger: StoreInspection;
  readonly archive: StoreInspection;
  readonly flags: StoreInspection;
  /** null: the ledger was not read. */
  readonly gaps: GapSummary | null;
  /** Day of the newest copy of the ledger, YYYY-MM-DD, and its age in whole days. */
  readonly backup: { readonly day: string; readonly age: number } | null;
  readonly relay: RelayInspection;
}

export interface RelayInspection {
  readonly on: boolean;
  /** The preferred port; 0: any free one. */
  readonly port: number;
  readonly isFree: boolean;
  /** The service reaches this computer by an address that leads to this very port. */
  readonly isPublic: boolean;
  /** The app runs. */
  readonly runs: boolean;
}

/** A copy is made each day that Barograph runs, days. */
const OLD_BACKUP = 7;

export const storesFindings = (inspection: StoresInspection): Finding[] => [
  storeFinding(
    'ledger',
    inspection.ledger,
    'Restart Barograph: it sets the file aside, takes the last backup, and asks the service for the rest.',
  ),
  storeFinding(
    'archive',
    inspection.archive,
    'Restart Barograph: it sets the file aside and fills a new one from the service.',
  ),
  // Printed by `barograph doctor`: the name is part of the command's output.
  storeFinding('marks', inspection.flags, 'Restart Barograph: it sets the file aside and takes the last backup.'),
  ...(inspection.gaps === null ? [] : [gapFinding(inspection.gaps)]),
  ...(inspection.ledger.bytes === null ? [] : [backupFinding(inspection.backup)]),
  relayFinding(inspection.relay),
];

function storeFinding(name: string, { bytes, integrity }: StoreInspection, cure: string): Finding {
  if (bytes === null) return good(name, 'There is none yet; the first start creates it.');
  if (integrity.kind === 'sound') return good(name, `It is sound; ${size(bytes)}.`);
  if (integrity.kind === 'damaged') return fail(name, `It is damaged (${integrity.why}); ${size(bytes)}.`, cure);
  return warn(
    name,
    `It was not checked: ${integrity.why}; ${size(bytes)}.`,
    'Leave Barograph running: it checks its files by itself.',
  );
}

function gapFinding({ open, since, lost }: GapSummary): Finding {
  const gone = lost === 0 ? '' : ` The service itself has no record of ${lost === 1 ? 'one more' : `${lost} more`}.`;
  if (open === 0) return good('gaps', `None is open.${gone}`);
  const found = `${open === 1 ? 'One is' : `${open} are`} open, since ${since ?? 'a time that is not known'}.${gone}`;
  return warn('gaps', found, 'Leave Barograph running: it closes them as soon as the service answers.');
}

function backupFinding(backup: StoresInspection['backup']): Finding {
  const cure = 'Leave Barograph running: it makes one each day.';
  if (backup === null) return warn('backup', 'There is none yet.', cure);
  const { day, age } = backup;
  const found = `The last one is of ${day}.`;
  return age > OLD_BACKUP ? warn('backup', `${found} It is ${age} days old.`, cure) : good('backup', found);
}

function relayFinding({ on, port, isFree, isPublic, runs }: RelayInspection): Finding {
  const name = 'webhooks';
  if (!on) return good(name, 'The relay is switched off: none are received.');
  if (port === 0) return good(name, 'The relay is on, and takes any free port.');
  if (runs) {
    return isFree
      ? warn(
          name,
          `The relay is on, and nothing listens at its port ${port}.`,
          'Look at the page Webhooks: it says where the relay listens, or why not.',
        )
      : good(name, `The relay is on; its port ${port} is held, as it is while Barograph runs.`);
  }
  if (isFree) return good(name, `The relay is on; its port ${port} is free.`);
  const found = `The relay is on; another program holds its port ${port}, so the next free one will be taken.`;
  return isPublic
    ? warn(name, found, 'End that program: the public address leads to this very port.')
    : good(name, found);
}
