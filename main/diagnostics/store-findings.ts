// Main, diagnostics: turns the inspection of a profile's files and webhooks into findings. Pure.

import type { RelayView } from '../../shared/channels/relay.ts';
import { dataSize } from '../../shared/text/format.ts';
import type { FileProblem } from '../core/files/private-file.ts';
import { type Finding, fail, good, warn } from './check.ts';

export interface StoreInspection {
  /** Size, bytes; null: the file does not exist yet. */
  readonly bytes: number | null;
  /** unread: not checked. lost: a file existed before. */
  readonly integrity:
    | { readonly kind: 'sound' }
    | { readonly kind: 'damaged' | 'unread'; readonly why: string }
    | ({ readonly kind: 'unusable' } & FileProblem)
    | { readonly kind: 'lost'; readonly how: 'missing' | 'empty' };
}

export interface GapSummary {
  /** Open gaps that back-fill will close: how many, and since when. */
  readonly open: number;
  readonly since: string | null;
  /** Gaps that the service itself has no record of. */
  readonly lost: number;
  /** Gaps of events that could not be read, and their newest cause as text. */
  readonly unreadable: { readonly count: number; readonly last: string };
  /**
   * Newest cause of gaps for recorded events with impossible values, as text; null: none.
   */
  readonly odd: string | null;
}

/** Why the ledger's file cannot be written, besides a full disk, which is a finding about the data folder. */
export type DiskProblem = 'read_only' | 'locked';

export interface StoresInspection {
  /** null: the ledger's file can be written. */
  readonly disk: DiskProblem | null;
  readonly ledger: StoreInspection;
  readonly archive: StoreInspection;
  /** A recent loss of the ledger, which was restored: when, ISO, and how. */
  readonly loss: { readonly at: string; readonly what: string } | null;
  /** null: the ledger was not read. */
  readonly gaps: GapSummary | null;
  /** Prices that need a decision: `SYMBOL DATE`. */
  readonly questions: readonly string[];
  /** Words of the service for states that are not known. */
  readonly stateWords: readonly string[];
  /** Store of the service inside the app; null: the service is elsewhere. */
  readonly store: string | null;
  /** Day of the newest copy of the ledger, YYYY-MM-DD, and its age in whole days. */
  readonly backup: { readonly day: string; readonly age: number } | null;
  readonly relay: RelayInspection;
}

export interface RelayInspection {
  readonly on: boolean;
  /** The preferred port; 0: any free one. */
  readonly port: number;
  readonly isFree: boolean;
  /** True where the service reaches this computer by a public address that leads to this port. */
  readonly isPublic: boolean;
  /** True while the app runs. */
  readonly runs: boolean;
  /** Where the relay of the running app listens; null: nowhere, or the app does not say. */
  readonly listening: RelayView['listening'];
}

/** Age of a backup that is reported, days: Barograph makes one each day that it runs. */
const OLD_BACKUP = 7;

export const storesFindings = (inspection: StoresInspection): Finding[] => [
  ledgerFinding(inspection),
  storeFinding(
    'archive',
    inspection.archive,
    'Restart Barograph: it sets the file aside and fills a new one from the service.',
  ),
  ...(inspection.disk === null ? [] : [diskFinding(inspection.disk)]),
  ...(inspection.gaps === null ? [] : [gapFinding(inspection.gaps), ...eventFindings(inspection.gaps)]),
  ...(inspection.ledger.bytes === null ? [] : [backupFinding(inspection.backup)]),
  relayFinding(inspection.relay),
  ...inspection.questions.map((question) => questionFinding(question, inspection.store ?? 'FILE')),
  ...(inspection.stateWords.length === 0 ? [] : [wordFinding(inspection.stateWords)]),
];

const wordFinding = (words: readonly string[]): Finding =>
  warn(
    'states',
    `The service writes ${words.map((word) => `"${word}"`).join(', ')} for a state; each counts as High Risk until it has a meaning.`,
    'Say what they mean in the window, or: npm run barograph -- profiles states NAME "WORD = Elevated, ..."',
  );

const questionFinding = (question: string, store: string): Finding =>
  warn(
    'price',
    `${question} needs a decision: it may be a fault of the data, and counts until then.`,
    `Decide in the window, or: npm run service -- confirm ${question} --real (or --split RATIO, --refuse) --db ${store}`,
  );

function ledgerFinding({ ledger, loss, backup }: StoresInspection): Finding {
  const name = 'ledger';
  if (ledger.integrity.kind === 'lost')
    return fail(
      name,
      `It is ${ledger.integrity.how}, although other files tell that there was one.`,
      `Start Barograph (while it runs, it notices by itself): ${
        backup === null
          ? 'there is no backup, so it fills a new one from the service'
          : `it takes the backup of ${backup.day}, asks the service for the rest`
      }, and notifies what was not notified.`,
    );
  const found = storeFinding(
    name,
    ledger,
    'Restart Barograph: it sets the file aside, takes the last backup, and asks the service for the rest.',
  );
  if (loss === null || found.status !== 'ok') return found;
  return warn(
    name,
    `${found.found} On ${loss.at.slice(0, 10)}: ${loss.what}`,
    'Find out which program or person touched the data folder: Barograph alone writes there.',
  );
}

function storeFinding(name: string, { bytes, integrity }: StoreInspection, cure: string): Finding {
  if (bytes === null) return good(name, 'There is none yet; the first start creates it.');
  if (integrity.kind === 'unusable') return fail(name, `${integrity.found}.`, integrity.cure);
  if (integrity.kind === 'sound') return good(name, `It is intact; ${dataSize(bytes)}.`);
  if (integrity.kind === 'damaged') return fail(name, `It is damaged (${integrity.why}); ${dataSize(bytes)}.`, cure);
  if (integrity.kind === 'lost') return fail(name, `It is ${integrity.how}.`, cure);
  return warn(
    name,
    `It was not checked: ${integrity.why}; ${dataSize(bytes)}.`,
    'Leave Barograph running: it checks its files itself.',
  );
}

function diskFinding(problem: DiskProblem): Finding {
  const result = 'Alerts are shown from memory, and not written down.';
  return problem === 'locked'
    ? fail('disk', `Another program has locked the ledger. ${result}`, 'End the program that has the file open.')
    : fail(
        'disk',
        `The ledger cannot be written. ${result}`,
        'Check the rights of the data folder, and that its disk is not read-only.',
      );
}

function gapFinding({ open, since, lost }: GapSummary): Finding {
  const gone = lost === 0 ? '' : ` The service itself has no record of ${lost === 1 ? 'one more' : `${lost} more`}.`;
  if (open === 0) return good('gaps', `None is open.${gone}`);
  const found = `${open === 1 ? 'One is' : `${open} are`} open, since ${since ?? 'an unknown time'}.${gone}`;
  return warn('gaps', found, 'Leave Barograph running: it closes them as soon as the service answers.');
}

function eventFindings({ unreadable, odd }: GapSummary): Finding[] {
  const cure = 'Look at the gaps in Settings, Connection, and tell the operator of the service.';
  const { count, last } = unreadable;
  return [
    ...(count === 0
      ? []
      : [
          warn(
            'unreadable',
            `${count === 1 ? 'One gap' : `${count} gaps`} of events that could not be read. ${last}`,
            cure,
          ),
        ]),
    ...(odd === null ? [] : [warn('odd events', odd, cure)]),
  ];
}

function backupFinding(backup: StoresInspection['backup']): Finding {
  const cure = 'Leave Barograph running: it makes one each day.';
  if (backup === null) return warn('backup', 'There is none yet.', cure);
  const { day, age } = backup;
  const found = `The last one was made on ${day}.`;
  return age > OLD_BACKUP ? warn('backup', `${found} It is ${age} days old.`, cure) : good('backup', found);
}

function relayFinding({ on, port, isFree, isPublic, runs, listening }: RelayInspection): Finding {
  const name = 'webhooks';
  if (!on) return good(name, 'The relay is switched off: none are received.');
  if (port === 0) return good(name, 'The relay is on, and takes any free port.');
  if (listening?.as_configured === true) return good(name, `The relay is on, and listens at its port ${port}.`);
  if (runs && listening === null) {
    return isFree
      ? warn(
          name,
          `The relay is on, and nothing listens at its port ${port}.`,
          'Look at Settings, Webhooks: it says where the relay listens, or why not.',
        )
      : good(name, `The relay is on; its port ${port} is held, as it is while Barograph runs.`);
  }
  if (isFree && listening === null) return good(name, `The relay is on; its port ${port} is free.`);
  const instead = listening === null ? 'the next free one will be taken' : `it listens at ${listening.address}`;
  const found = `The relay is on; another program ${isFree ? 'held' : 'holds'} its port ${port}, so ${instead}.`;
  return isPublic
    ? warn(name, found, 'End that program: the public address leads to this very port.')
    : good(name, found);
}
