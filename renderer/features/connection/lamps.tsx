// Renderer, connection: the four lamps large, each with what it rests on.
import type { ConnectionDetails } from '../../../shared/channels/connection.ts';
import { type Connection, LAMP_NAMES, type LampName } from '../../../shared/channels/state.ts';
import { useNow } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp, useBoard } from '../../store/store.ts';
import { connectionWords as words } from '../../text/connection.ts';
import { en } from '../../text/en.ts';
import { moment, span, type Zone } from '../../text/format.ts';
import { LampMark } from '../../ui/glyph.tsx';

export function BigLamps({ details }: { details: ConnectionDetails | null }) {
  const connection = useBoard((board) => board.connection);
  const down = useApp((state) => state.link === 'down');
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const stale = useStale();
  return (
    <ul className="big-lamps" aria-label={words.lamps}>
      {LAMP_NAMES.map((name) => {
        const state = down ? 'out' : connection.lamps[name].state;
        const [first, second] = down
          ? [en.status.lampState.out, '']
          : linesOf(name, { connection, details, stale, now, zone });
        return (
          <li key={name}>
            <p className="big-lamp-name">
              <LampMark state={state} />
              {en.status.lamp[name]}
              <span className="spoken">: {en.status.lampState[state]}</span>
            </p>
            <p className="big-lamp-words">{first}</p>
            <p className="t3 cond ell" title={second}>
              {second}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

/** Names of the stale symbols, shortened. */
function useStale(): string {
  return useBoard((board) => {
    const symbols = Object.values(board.rows).flatMap((row) => (row.stale ? [row.symbol] : []));
    return symbols.length > 4 ? `${symbols.slice(0, 4).join(', ')} +${symbols.length - 4}` : symbols.join(', ');
  });
}

interface Known {
  readonly connection: Connection;
  readonly details: ConnectionDetails | null;
  readonly stale: string;
  readonly now: number;
  readonly zone: Zone;
}

/** What is so, and what it rests on. */
function linesOf(name: LampName, { connection, details, stale, now, zone }: Known): readonly [string, string] {
  const lamp = connection.lamps[name];
  const stream = details?.stream;
  switch (name) {
    case 'open': {
      if (lamp.state === 'lit')
        return [words.open.up(span(now - Date.parse(lamp.since))), words.open.reconnects(stream?.breaks.length ?? 0)];
      const { retry } = connection;
      return [
        words.open.down(lamp.detail),
        retry === null ? '' : words.open.attempt(retry.attempt, span(Date.parse(retry.at) - now)),
      ];
    }
    case 'bytes': {
      const last = stream?.last_byte_at ?? null;
      const heartbeat = stream?.heartbeat ?? null;
      return [
        last === null ? words.bytes.none : words.bytes.last(span(now - Date.parse(last))),
        heartbeat === null ? words.bytes.unknown : words.bytes.heartbeat(span(heartbeat)),
      ];
    }
    case 'fresh':
      return [
        words.fresh.words(/^\d+ of \d+/.exec(lamp.detail)?.[0] ?? lamp.detail),
        stale !== '' ? words.fresh.stale(stale) : lamp.state === 'lit' ? words.fresh.all : '',
      ];
    case 'verified': {
      const lit = lamp.state === 'lit';
      return [
        words.verified.words(lamp.detail, lit),
        words.verified.since(moment(Date.parse(lamp.since), zone, now), lit),
      ];
    }
  }
}
