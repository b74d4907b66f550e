// Renderer, connection: the four health indicators, each with its reasons.
import type { ConnectionDetails } from '../../../shared/channels/connection.ts';
import { type Connection, INDICATOR_NAMES, type IndicatorName } from '../../../shared/channels/state.ts';
import { shortTimestamp, span, type Zone } from '../../../shared/text/format.ts';
import { type Message, message, textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useNow } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { IndicatorIcon } from '../../ui/glyph.tsx';

export function HealthIndicators({ details }: { details: ConnectionDetails | null }) {
  const connection = useSnapshot((snapshot) => snapshot.connection);
  const down = useApp((state) => state.link === 'down');
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const stale = useStale();
  return (
    <ul className="health-indicators" aria-label={texts.connection.indicators}>
      {INDICATOR_NAMES.map((name) => {
        const state = down ? 'down' : connection.indicators[name].state;
        const [first, second] = down
          ? [texts.common.status.indicatorState.down, '']
          : linesOf(name, { connection, details, stale, now, zone });
        return (
          <li key={name}>
            <p className="health-indicator-name">
              <IndicatorIcon state={state} />
              {texts.common.status.indicator[name]}
              <span className="spoken">: {texts.common.status.indicatorState[state]}</span>
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

/** The number of current signals. The names of stale ones are beside it. */
const countOf = (detail: Message): string =>
  textOf(detail.code === 'health.stale' ? message('health.current', detail.values) : detail);

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
          texts.connection.open.up(span(now - Date.parse(indicator.since))),
          texts.connection.open.reconnects(stream?.breaks.length ?? 0),
        ];
      const { retry } = connection;
      return [
        texts.connection.open.down(textOf(indicator.detail)),
        retry === null ? '' : texts.connection.open.attempt(retry.attempt, span(Date.parse(retry.at) - now)),
      ];
    }
    case 'bytes': {
      const last = stream?.last_byte_at ?? null;
      const heartbeat = stream?.heartbeat ?? null;
      return [
        last === null ? texts.connection.bytes.none : texts.connection.bytes.last(span(now - Date.parse(last))),
        heartbeat === null ? texts.connection.bytes.unknown : texts.connection.bytes.heartbeat(span(heartbeat)),
      ];
    }
    case 'fresh':
      return [
        texts.connection.fresh.label(countOf(indicator.detail)),
        stale !== '' ? texts.connection.fresh.stale(stale) : indicator.state === 'ok' ? texts.connection.fresh.all : '',
      ];
    case 'verified': {
      const lit = indicator.state === 'ok';
      return [
        texts.connection.verified.label(textOf(indicator.detail), lit),
        texts.connection.verified.since(shortTimestamp(Date.parse(indicator.since), zone, now), lit),
      ];
    }
  }
}
