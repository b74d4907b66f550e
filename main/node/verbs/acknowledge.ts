// Main, command line: `barograph acknowledge`: acknowledges alerts in the running app.
import { stateLabel } from '../../../shared/domain/states.ts';
import { UsageError } from '../../host/command-line.ts';
import { requestAcknowledgement } from '../../host/control-socket.ts';
import { readRunFile } from '../../host/run-file.ts';

export interface AcknowledgeFlags {
  readonly dataDir: string;
  readonly profile?: string;
  readonly note?: string;
  readonly json?: boolean;
}

/** Limits of the note and of a target, characters. */
const LONGEST_NOTE = 500;
const LONGEST_TARGET = 128;

/** Prints one line per alert. */
export async function acknowledgeVerb(
  target: string,
  { dataDir, profile, note, json = false }: AcknowledgeFlags,
): Promise<void> {
  if (target.trim() === '' || target.length > LONGEST_TARGET)
    throw new UsageError('Give the id of an event, or a symbol.');
  if (note !== undefined && note.length > LONGEST_NOTE)
    throw new UsageError(`--note: a note has at most ${LONGEST_NOTE} characters.`);
  const run = readRunFile(dataDir);
  if (run === null) throw new UsageError(`Barograph does not run in ${dataDir}. Start it: npm start`);
  if (run.socket === null) throw new Error(`Barograph (process ${run.pid}) takes no commands: it is an older version.`);
  const request = { profile: profile ?? null, target: target.trim(), note: note ?? null };
  const alerts = await requestAcknowledgement(run.socket, request);
  if (json) console.log(JSON.stringify(alerts));
  else
    for (const { symbol, state, event_id } of alerts)
      console.log(`acknowledged ${symbol} ${state === null ? 'price alert' : stateLabel(state)} ${event_id}`);
}
