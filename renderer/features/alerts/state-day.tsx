// Renderer: what happened in the list on one day: how far High Risk spread, and every change of state.
import type { StateDay } from '../../../shared/channels/queries.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import { clockTime, sessionDay } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { usePreference } from '../../store/preferences.ts';
import { DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';
import { QueryNotice } from '../../ui/loading-notice.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';

const { stateDays: words } = texts;
/** Symbols that are named; of more, the number is given. */
const MAX_NAMED = 6;
const FIRST = 3;

interface StateDayPanelProps {
  readonly symbols: readonly string[];
  /** ISO date. */
  readonly day: string;
  readonly isToday: boolean;
  /** The symbols that were not High Risk on that day. */
  readonly spared: readonly string[];
  /** The chosen cell, in words. */
  readonly chosen: string;
  /** Opens the day of the chosen symbol; null: none is chosen. */
  readonly onOpen: (() => void) | null;
}

export function StateDayPanel({ symbols, day, isToday, spared, chosen, onOpen }: StateDayPanelProps) {
  const zone = usePreference((preference) => preference.zone);
  const query = useChannelQuery('states.day', { symbols: [...symbols], day });
  const name = sessionDay(Date.parse(day));
  const { data } = query;
  const timeOf = (at: string): string => clockTime(Date.parse(at), zone).slice(0, 5);
  const heading = isToday && data !== undefined ? words.until(name, timeOf(data.to)) : name;
  return (
    <aside className="days-panel" aria-label={words.dayLabel}>
      <div className="head">
        <h2>{heading}</h2>
      </div>
      <p className="days-cell-text" role="status">
        {chosen}
      </p>
      {data === undefined ? (
        <QueryNotice query={query} loading={words.loadingDay} failed={words.failed} />
      ) : (
        <DayText data={data} timeOf={timeOf} spared={spared} total={symbols.length} />
      )}
      {onOpen !== null && (
        <div className="days-foot">
          <button type="button" className="btn line" onClick={onOpen}>
            {words.openDay}
          </button>
        </div>
      )}
    </aside>
  );
}

interface DayTextProps {
  readonly data: StateDay;
  readonly timeOf: (at: string) => string;
  readonly spared: readonly string[];
  readonly total: number;
}

function DayText({ data, timeOf, spared, total }: DayTextProps) {
  const { high, unknown, changes, left_out: leftOut } = data;
  const most = Math.max(high, ...changes.map((one) => one.high));
  const entered = changes.filter(({ to_state: state }) => state === 2).map((one) => `${one.symbol} ${timeOf(one.at)}`);
  return (
    <ScrollRegion className="scroll days-story" label={words.changes}>
      <h3>{words.spread(high, most)}</h3>
      {most > 0 && <Course data={data} most={most} />}
      <DescriptionList narrow>
        {entered.length > 0 && (
          <DescriptionItem name={words.first}>{entered.slice(0, FIRST).join(', ')}</DescriptionItem>
        )}
        {entered.length > FIRST && <DescriptionItem name={words.last}>{entered.at(-1)}</DescriptionItem>}
        {most > 0 && (
          <DescriptionItem name={words.spared}>
            {spared.length <= MAX_NAMED && spared.length > 0 ? spared.join(', ') : words.sparedOf(spared.length, total)}
          </DescriptionItem>
        )}
        {unknown > 0 && <DescriptionItem name={words.noData}>{words.unknownAtOpen(unknown)}</DescriptionItem>}
      </DescriptionList>
      {changes.length === 0 ? (
        <p className="t2">{words.noChange}</p>
      ) : (
        <ol className="days-changes">
          {changes.map(({ symbol, at, from_state: from, to_state: to }) => (
            <li key={`${at} ${symbol}`}>
              <span className="t2">{timeOf(at)}</span> <b>{symbol}</b>{' '}
              {words.change(from === null ? null : stateLabel(from), stateLabel(to))}
            </li>
          ))}
        </ol>
      )}
      {leftOut > 0 && <p className="t2">{words.leftOut(leftOut)}</p>}
    </ScrollRegion>
  );
}

/** The number of symbols at High Risk over the session, as steps. */
function Course({ data: { from, to, high, changes }, most }: { data: StateDay; most: number }) {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const xOf = (at: string): number => Math.min(100, (100 * (Date.parse(at) - begin)) / Math.max(1, end - begin));
  const yOf = (number: number): number => 40 - (40 * number) / most;
  const line = `M0 ${yOf(high)}${changes.map((one) => `H${xOf(one.at)}V${yOf(one.high)}`).join('')}H100`;
  return (
    <svg className="days-course" viewBox="0 -1 100 42" preserveAspectRatio="none" aria-hidden="true">
      <path d={`${line}V40H0Z`} className="area" />
      <path d={line} className="line" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
