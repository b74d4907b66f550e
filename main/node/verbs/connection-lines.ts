// Main, command line: lines on stderr about the connection of `tail` and `listen`, each once.
import type { Connection } from '../../../shared/channels/state.ts';
import { textOf } from '../../../shared/text/message.ts';
import { oneLine } from '../../host/command-line.ts';

export interface ConnectionLines {
  /** @param note empty: nothing besides */
  connected(note?: string): void;
  /** The reason why there is no connection, as a sentence. */
  lost(why: string): void;
  /** A line that is no change of the connection. */
  say(line: string): void;
}

/**
 * @param service its address, or the name of its profile
 * @param print receives each line; default: stderr
 */
export function createConnectionLines(
  service: string,
  print: (line: string) => void = (line) => console.error(line),
): ConnectionLines {
  let state: 'new' | 'connected' | 'lost' = 'new';
  let hasConnected = false;
  let why = '';
  const say = (line: string): void => print(oneLine(`barograph: ${line}`));
  return {
    say,
    connected(note = '') {
      if (state !== 'connected') say(`connected to ${service}${hasConnected ? ' again' : ''}${note}`);
      state = 'connected';
      hasConnected = true;
      why = '';
    },
    lost(found) {
      if (state === 'lost' && found === why) return;
      const cure = hasConnected ? '' : ' Start the service, or see barograph doctor.';
      say(`not connected to ${service}: ${found} It is tried again.${cure}`);
      state = 'lost';
      why = found;
    },
  };
}

/** The lines about the connection of a core. */
export function showConnection(
  lines: ConnectionLines,
  { outage, indicators, refused }: Pick<Connection, 'outage' | 'indicators' | 'refused'>,
): void {
  if (outage !== null) lines.lost(textOf(outage.cause));
  else if (indicators.open.state === 'ok') lines.connected();
  else if (refused !== null) lines.connected(`, by polling, because the stream is refused: ${textOf(refused)}`);
}
