// Renderer: how many symbols of the list were High Risk on each of the last days, on one scale up to all of them.
import { useMemo } from 'react';
import { symbolsOf, type Watchlist } from '../../../shared/domain/watchlists.ts';
import { DASH, datePartsIn, shortDay } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useIsOffline } from '../../store/connection-status.ts';
import { symbolViewOf } from '../../store/select.ts';
import { useDrawnMoment } from '../../store/shown-moment.ts';
import { useSnapshot } from '../../store/store.ts';

const { market } = texts.watchlist;
/** Room for this many days at least, so that a few days do not fill the width. */
const LEAST_DAYS = 30;

/** Draws nothing where no symbol of the list can have a state. */
export function MarketLine({ list }: { list: Watchlist }) {
  const isOffline = useIsOffline();
  const rated = useSnapshot(({ rows }) =>
    symbolsOf(list)
      .filter((symbol) => rows[symbol]?.coverage !== 'regime_only' && rows[symbol]?.coverage !== 'none')
      .join(' '),
  );
  const symbols = useMemo(() => (rated === '' ? [] : [...new Set(rated.split(' '))]), [rated]);
  const high = useSnapshot(({ rows }) => {
    const views = symbols.map((symbol) => symbolViewOf(rows[symbol], false)).filter(({ kind }) => kind === 'state');
    return views.length === 0 ? null : views.filter((view) => view.kind === 'state' && view.state === 2).length;
  });
  const at = useDrawnMoment();
  const { data } = useChannelQuery('states.highRisk', symbols.length === 0 ? null : { symbols });
  if (symbols.length === 0) return null;
  const now = isOffline ? null : high;
  const first = data?.counts.findIndex((number) => number !== null) ?? -1;
  // In the past, none of what came after.
  const known = data?.days.filter((date) => at === null || Date.parse(date) < at).length ?? 0;
  const counts = data === undefined || first === -1 ? [] : data.counts.slice(first, known);
  const days = data?.days.slice(first, known) ?? [];
  // The ledger is read now and then; the present is known. The day of a past moment ends with that moment.
  if (counts.length > 0 && (now !== null || at !== null))
    counts[counts.length - 1] = at !== null ? now : Math.max(now ?? 0, counts.at(-1) ?? 0);
  const most = Math.max(0, ...counts.map((number) => number ?? 0));
  const of = symbols.length;
  const room = Math.max(LEAST_DAYS, counts.length);
  const start = room - counts.length;
  const text = [
    market.title(of, counts.length),
    ...(most === 0 ? [] : [market.most(most, dayText(days[counts.lastIndexOf(most)]))]),
  ].join('; ');
  return (
    <div className="wl-market" role="img" aria-label={`${text}; ${market.now(now)}`}>
      <p>{text}</p>
      <svg className="wl-market-days" viewBox={`0 0 ${room} 1`} preserveAspectRatio="none" aria-hidden="true">
        {counts.map((number, index) => (
          <g key={days[index]} className={number === null ? 'gap' : undefined}>
            <title>{market.day(dayText(days[index]), number, of)}</title>
            <rect x={start + index} width="1" height="1" className="room" />
            <rect x={start + index + 0.07} y={1 - (number ?? 0) / of} width="0.86" height={(number ?? 0) / of} />
          </g>
        ))}
      </svg>
      <div className="wl-market-months">
        {days.map(
          (date, index) =>
            date.slice(0, 7) !== (days[index - 1] ?? date).slice(0, 7) && (
              <span key={date} style={{ left: `${(100 * (start + index)) / room}%` }}>
                {datePartsIn(Date.parse(date), 'utc').month}
              </span>
            ),
        )}
      </div>
      <div className="wl-market-now">
        {market.of(of)}
        <b>{now ?? DASH}</b>
      </div>
    </div>
  );
}

const dayText = (date = ''): string => shortDay(Date.parse(date));
