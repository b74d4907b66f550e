// Renderer: everything about the chosen symbol that its header does not say at once.
import { useEffect, useMemo, useState } from 'react';
import { callsOf, recordOf } from '../../../shared/channels/call-record.ts';
import type { RegimeNow, ValidationRecord } from '../../../shared/channels/queries.ts';
import type { Row, RowSignal } from '../../../shared/channels/state.ts';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import { MINUTE_MS } from '../../../shared/lib/time.ts';
import {
  datedDay,
  dayAndYear,
  lasting,
  marketTime,
  monthAndYear,
  percent,
  price,
  shortTimestamp,
  span,
  type Zone,
} from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { sessionMs } from '../../charts/model.ts';
import { useHoldOut } from '../../queries/hold-out.ts';
import { useDue } from '../../queries/schedule.ts';
import { useChannelQuery, useSettled } from '../../queries/use-channel-query.ts';
import { useServices } from '../../services.ts';
import type { SymbolView } from '../../store/select.ts';
import { useDrawnMoment } from '../../store/shown-moment.ts';
import { useSnapshot } from '../../store/store.ts';
import { useChartCalendar, useSymbolCalendar } from '../../store/symbol-calendar.ts';
import { DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';
import { regimeOf } from './row-label.ts';

const header = texts.header;
/** A smaller probability would be shown as 0.0 percent. */
const MIN_SHOWN = 0.001;
const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ');

interface SymbolMoreProps {
  readonly symbol: string;
  readonly row: Row | undefined;
  readonly view: SymbolView;
  readonly zone: Zone;
  readonly worldNow: number;
  readonly isOpen: boolean;
}

export function SymbolMore({ symbol, row, view, zone, worldNow, isOpen }: SymbolMoreProps) {
  const signal = row?.signal ?? null;
  const market = header.marketOf(useSymbolCalendar(symbol), signal?.currency);
  const regime = view.kind === 'offline' ? null : regimeOf(row);
  const details = regimeDetails(useRegimeNow(symbol, signal, regime), signal, worldNow);
  return (
    <DescriptionList narrow>
      {signal !== null && (
        <DescriptionItem name={header.instrument}>
          {joined([signal.name, signal.asset_class === null ? '' : header.classes[signal.asset_class]])}
        </DescriptionItem>
      )}
      {signal !== null && market !== '' && <DescriptionItem name={header.market}>{market}</DescriptionItem>}
      {signal !== null && view.kind === 'state' && <Decided signal={signal} zone={zone} worldNow={worldNow} />}
      {regime !== null && (
        <DescriptionItem name={header.regime}>{joined([regimeLabel(regime), ...details])}</DescriptionItem>
      )}
      <DueList symbol={symbol} zone={zone} worldNow={worldNow} />
      {row?.coverage === 'full' && <HoldOut symbol={symbol} isOpen={isOpen} />}
    </DescriptionList>
  );
}

/** Sessions ahead of which the panel lists what is due. */
const DUE_SESSIONS = 10;

function DueList({ symbol, zone, worldNow }: Pick<SymbolMoreProps, 'symbol' | 'zone' | 'worldNow'>) {
  const at = useDrawnMoment() ?? worldNow;
  const { events, unknown, unread, hasLists } = useDue(symbol, at, DUE_SESSIONS);
  if (hasLists === null) return null;
  const { due } = texts;
  const rest = unread.length > 0 ? due.unread(unread) : due.nothingElse(unknown, DUE_SESSIONS);
  const listed = events.map((event) => `${due.one(event, at, zone)} (${event.source})`);
  return <DescriptionItem name={due.heading}>{hasLists ? [...listed, rest].join('; ') : due.noLists}</DescriptionItem>;
}

/** Why, how long and when the state was decided; and what the chance of a fall is compared with. */
function Decided({ signal, zone, worldNow }: { signal: RowSignal; zone: Zone; worldNow: number }) {
  const at = (time: string): string => shortTimestamp(Date.parse(time), zone, worldNow);
  const { note, since, breach_level: level, base_rate: usual, decided_at: decided, next_decision_at: next } = signal;
  return (
    <>
      {note !== '' && <DescriptionItem name={header.reason}>{note}</DescriptionItem>}
      {since !== null && (
        <DescriptionItem name={header.state}>
          <Lasted since={Date.parse(since)} symbol={signal.symbol} worldNow={worldNow} />
        </DescriptionItem>
      )}
      <DescriptionItem name={header.updated}>
        {decided === null ? header.updatedUnknown : header.decision(at(decided), next === null ? null : at(next))}
      </DescriptionItem>
      {level != null && <DescriptionItem name={header.breach}>{price(level, signal.currency)}</DescriptionItem>}
      <DescriptionItem name={header.usual}>
        {usual === null ? header.noUsual : header.fall.usualSays(percent(usual))}
      </DescriptionItem>
    </>
  );
}

interface LastedProps {
  readonly since: number;
  readonly symbol: string;
  readonly worldNow: number;
}

/**
 * Duration of the state, by the clock and by the market: hours without trading do not count in the latter.
 */
function Lasted({ since, symbol, worldNow }: LastedProps) {
  const calendar = useChartCalendar(symbol);
  const environment = useSnapshot((snapshot) => snapshot.profile.environment);
  // Rounded to the minute, because computing sessions walks over the days.
  const minute = Math.floor(worldNow / 60_000) * 60_000;
  const market = useMemo(
    () => (calendar === 'always' ? null : marketTime(calendar, since, minute)),
    [calendar, since, minute],
  );
  const clock = lasting(worldNow - since);
  return market === null ? header.lastsAlwaysOpen(clock, environment === 'sandbox') : header.lasts(clock, market);
}

/** A past moment moves while the slider is dragged, ms. */
const SETTLE_MS = 400;

/** What the service says of the regime of the shown moment; null: nothing yet, or its answer is about another one. */
export function useRegimeNow(symbol: string, signal: RowSignal | null, regime: string | null): RegimeNow | null {
  const at = useDrawnMoment();
  const isSettled = useSettled(String(at), SETTLE_MS);
  const version = at === null ? `${signal?.decided_at ?? ''} ${regime}` : null;
  const input = at === null ? { symbol } : isSettled ? { symbol, at: timestamp(at) } : null;
  const { data: now } = useChannelQuery('regime.read', input, { version });
  return now === undefined ||
    (regime ?? now.regime) !== now.regime ||
    (now.confidence === null && now.candidate == null)
    ? null
    : now;
}

/**
 * Start and probability of the regime, then the candidate with what it still needs, else the likeliest other
 * one. The label is older than a state of the day in progress, so that it always has the day of its close.
 */
function regimeDetails(now: RegimeNow | null, signal: RowSignal | null, worldNow: number): readonly string[] {
  const day = (at: string): string => datedDay(sessionMs(Date.parse(at)), worldNow);
  const asOf = signal?.regime_as_of ?? null;
  if (now === null) return asOf === null ? [] : [header.regimeAsOf(day(asOf))];
  const { confidence, since, candidate = null, decidedAt = null } = now;
  const confirmed = candidate === null ? null : decidedAt === null ? '' : day(decidedAt);
  const other = now.probabilities.find((one) => one.regime !== now.regime && one.probability >= MIN_SHOWN);
  const parts = [
    since === null ? '' : header.regimeSince(day(since)),
    confidence === null ? '' : header.regimeProbability(percent(confidence), confirmed),
    now.staleSeconds === undefined ? '' : header.noPriceFor(span(1_000 * now.staleSeconds)),
  ];
  if (candidate === null)
    return other === undefined
      ? parts
      : [...parts, header.otherRegime(regimeLabel(other.regime), percent(100 * other.probability))];
  return [
    ...parts,
    header.regimeFavoured(regimeLabel(candidate.regime), percent(candidate.confidence)),
    header.regimeNeeds(candidate.closesNeeded, candidate.waitsFor),
  ];
}

/** How often this symbol's signals were right on hold-out days. The first minute has other work than to compute it. */
function HoldOut({ symbol, isOpen }: { symbol: string; isOpen: boolean }) {
  const { clock } = useServices();
  const [isLate, setLate] = useState(false);
  useEffect(() => clock.after(MINUTE_MS, () => setLate(true)), [clock]);
  const { data: record = null, isError, error, refetch } = useHoldOut(isOpen || isLate);
  const found = record === null ? null : recordOf(record, symbol);
  return (
    <DescriptionItem name={header.holdout(found?.kind ?? null)}>
      {record !== null && found !== null ? (
        recordText(record, found.row)
      ) : record !== null ? (
        header.notScored
      ) : isError ? (
        <span title={error?.message}>
          {header.noRecord}{' '}
          <button type="button" className="btn quiet" onClick={() => void refetch()}>
            {texts.common.tryAgain}
          </button>
        </span>
      ) : (
        header.loadingRecord
      )}
    </DescriptionItem>
  );
}

function recordText(record: ValidationRecord, { holdout, holdout_from: from }: ValidationRecord['symbols'][number]) {
  const { recall, events } = holdout;
  const { right, calls } = callsOf(holdout);
  const parts = [
    calls === 0 ? header.noCalls : header.right(right, calls),
    events === null ? header.caughtShare(Math.floor(recall * 100)) : header.caught(Math.round(recall * events), events),
    from === null ? '' : header.sinceMonth(monthAndYear(Date.parse(from))),
  ];
  return `${joined(parts)}. ${header.computed(dayAndYear(Date.parse(record.computed_at)), record.model_version ?? '')}`;
}
