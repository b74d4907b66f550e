// Renderer, connection: the four health indicators, each with its reasons.
import type { ConnectionDetails } from '../../../shared/channels/connection.ts';
import { type Connection, INDICATOR_NAMES, type IndicatorName } from '../../../shared/channels/state.ts';
import { useNow } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { connectionText as messages } from '../../text/connection.ts';
import { en } from '../../text/en.ts';
import { shortTimestamp, span, type Zone } from '../../text/format.ts';
import { IndicatorIcon } from '../../ui/glyph.tsx';

export function HealthIndicators({ details }: { details: ConnectionDetails | null }) {
  const connection = useSnapshot((snapshot) => snapshot.connection);
  const down = useApp((state) => state.link === 'down');
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const stale = useStale();
  return (
    <ul className="health-indicators" aria-label={messages.indicators}>
      {INDICATOR_NAMES.map((name) => {
        const state = down ? 'down' : connection.indicators[name].state;
        const [first, second] = down
          ? [en.status.indicatorState.down, '']
          : linesOf(name, { connection, details, stale, now, zone });
        return (
          <li key={name}>
            <p className="health-indicator-name">
              <IndicatorIcon state={state} />
              {en.status.indicator[name]}
              <span className="spoken">: {en.status.indicatorState[state]}</span>
            </p>
            <p className="health-indicator-text">{first}</p>
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
  return useSnapshot((snapshot) => {
    const symbols = Object.values(snapshot.rows).flatMap((row) => (row.stale ? [row.symbol] : []));
    return symbols.length > 4 ? `${symbols.slice(0, 4).join(', ')} +${symbols.length - 4}` : symbols.join(', ');
  });
}

interface IndicatorContext {
  readonly connection: Connection;
  readonly details: ConnectionDetails | null;
  readonly stale: string;
  readonly now: number;
  readonly zone: Zone;
}

/** The indicator's text and its reasons. */
function linesOf(
  name: IndicatorName,
  { connection, details, stale, now, zone }: IndicatorContext,
): readonly [string, string] {
  const indicator = connection.indicators[name];
  const stream = details?.stream;
  switch (name) {
    case 'open': {
      if (indicator.state === 'ok')
        return [
          messages.open.up(span(now - Date.parse(indicator.since))),
          messages.open.reconnects(stream?.breaks.length ?? 0),
        ];
      const { retry } = connection;
      return [
        messages.open.down(indicator.detail),
        retry === null ? '' : messages.open.attempt(retry.attempt, span(Date.parse(retry.at) - now)),
      ];
    }
    case 'bytes': {
      const last = stream?.last_byte_at ?? null;
      const heartbeat = stream?.heartbeat ?? null;
      return [
        last === null ? messages.bytes.none : messages.bytes.last(span(now - Date.parse(last))),
        heartbeat === null ? messages.bytes.unknown : messages.bytes.heartbeat(span(heartbeat)),
      ];
    }
    case 'fresh':
      return [
        messages.fresh.label(/^\d+ of \d+/.exec(indicator.detail)?.[0] ?? indicator.detail),
        stale !== '' ? messages.fresh.stale(stale) : indicator.state === 'ok' ? messages.fresh.all : '',
      ];
    case 'verified': {
      const lit = indicator.state === 'ok';
      return [
        messages.verified.label(indicator.detail, lit),
        messages.verified.since(shortTimestamp(Date.parse(indicator.since), zone, now), lit),
      ];
    }
  }
}
