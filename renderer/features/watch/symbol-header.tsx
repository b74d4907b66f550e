// Renderer: the chosen symbol's header: price, state, decision, regime, confidence and record.
import { useMemo } from 'react';
import type { Row, RowSignal } from '../../../shared/channels/state.ts';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import { sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import { writtenState } from '../../../shared/domain/states.ts';
import {
  change,
  DASH,
  datedDay,
  dayAndYear,
  lasting,
  marketTime,
  percent,
  price,
  shortTimestamp,
  span,
  times,
  type Zone,
} from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { sessionMs } from '../../charts/model.ts';
import { useNow } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { comparableBaseRate, type LastPrice, lastPriceOf, type SymbolView, symbolViewOf } from '../../store/select.ts';
import { useSnapshot } from '../../store/store.ts';
import { ChangeHighlight } from '../../ui/change-highlight.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { IconButton } from '../../ui/icon.tsx';
import { openPriceRule } from '../alert-rules/index.ts';
import { QuestionTag } from '../price-questions/index.ts';
import { StateWordsButton } from '../profiles/index.ts';
import { Cell } from './header-cell.tsx';
import { HoldOutCell, RecordInline } from './hold-out-cell.tsx';
import { PriceFaultTag } from './price-fault.tsx';
import { ageOf, breachDistance, glyphOf, isPriceBehind, regimeOf } from './row-label.ts';
import './symbol-header.css';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useIsOffline, useOutageStart, useWorldNow } from '../../store/connection-status.ts';

/** A smaller probability would be shown as 0.0 percent. */
const MIN_SHOWN = 0.001;

interface CellProps {
  readonly row: Row | undefined;
  readonly view: SymbolView;
  readonly zone: Zone;
  readonly worldNow: number;
  readonly now: number;
  /** When the connection was lost, as text; null while connected. */
  readonly outageAt: string | null;
}

export function SymbolHeader({ symbol }: { symbol: string }) {
  const row = useSnapshot((snapshot) => snapshot.rows[symbol]);
  const isOffline = useIsOffline();
  const outage = useOutageStart();
  const worldNow = useWorldNow();
  const zone = usePreference((preference) => preference.zone);
  const props: CellProps = {
    row,
    view: symbolViewOf(row, isOffline),
    zone,
    worldNow,
    now: useNow(),
    outageAt: outage === null ? null : shortTimestamp(outage.world, zone, worldNow),
  };
  return (
    <>
      <div className="symbol-header">
        <PriceCell symbol={symbol} {...props} />
        <StateCell {...props} />
        <RegimeCell symbol={symbol} {...props} />
        <ConfidenceCell {...props} />
        <HoldOutCell symbol={symbol} />
      </div>
      <Reason {...props} />
    </>
  );
}

function PriceCell({ symbol, row, view, outageAt, zone, worldNow }: CellProps & { symbol: string }) {
  const signal = row?.signal ?? null;
  const last = lastPriceOf(row);
  const isLate = view.kind === 'stale' || (signal !== null && isPriceBehind(signal));
  return (
    <Cell className="price">
      <div className="row">
        <h1 className="figure">{symbol}</h1>
        {signal !== null && signal.asset_class !== null && (
          <span className="tag">{texts.header.classes[signal.asset_class]}</span>
        )}
        {signal !== null && <PriceFaultTag signal={signal} />}
        {last !== null && last.price !== null && <PriceAlertButton symbol={symbol} />}
      </div>
      {last !== null && (
        <div className="quote">
          <span className="quote-price">{last.price === null ? DASH : price(last.price)}</span>
          <span className="quote-change">{changeText(last, isLate, outageAt, zone, worldNow)}</span>
        </div>
      )}
      {signal !== null && (
        <>
          <div className="note name ell" title={signal.name}>
            {signal.name}
          </div>
          {signal.price_question !== undefined && <QuestionTag symbol={symbol} question={signal.price_question} />}
        </>
      )}
    </Cell>
  );
}

/** Opens the editor with a rule on the price. */
function PriceAlertButton({ symbol }: { symbol: string }) {
  const zone = usePreference((preference) => preference.zone);
  return (
    <IconButton
      icon="bell"
      label={texts.priceAlerts.add(symbol)}
      hasTitle
      onClick={() => openPriceRule(zone, symbol)}
    />
  );
}

/** The change of a current price; the time of any other. */
function changeText(last: LastPrice, isLate: boolean, outageAt: string | null, zone: Zone, worldNow: number): string {
  const at = last.at === null ? null : Date.parse(last.at);
  if (at !== null && last.isOld) return texts.header.lastPriceOn(dayAndYear(sessionMs(at)));
  if (outageAt !== null && at === null) return '';
  return at !== null && (isLate || outageAt !== null)
    ? texts.header.priceAt(shortTimestamp(at, zone, worldNow))
    : change(last.change);
}

function StateCell({ row, view, zone, worldNow, now }: CellProps) {
  const signal = row?.signal ?? null;
  if (view.kind === 'state' && signal !== null) {
    const since = signal.since === null ? null : Date.parse(signal.since);
    return (
      <Cell className="state" label={texts.header.state}>
        <ChangeHighlight value={view.state} className={`figure row block-${view.state}`}>
          <Glyph name={view.state} size={view.state === 2 ? 17 : 20} />
          {writtenState(view.state, signal.state_word)}
        </ChangeHighlight>
        {signal.state_word !== undefined && <StateWordsButton isTag />}
        <div className="note">
          {since === null ? texts.header.sinceUnknown : texts.header.since(shortTimestamp(since, zone, worldNow))}
        </div>
        {since !== null && <Lasted since={since} assetClass={signal.asset_class} worldNow={worldNow} />}
        <Decision signal={signal} zone={zone} worldNow={worldNow} />
      </Cell>
    );
  }
  const [word, note, more] = unavailableText(row, view, worldNow, now, knownAt(signal, zone, worldNow));
  return (
    <Cell className="state" label={texts.header.state}>
      <div className="figure row t3">
        <Glyph name={glyphOf(view)} size={20} />
        {word}
      </div>
      <div className="note wraps">{note}</div>
      <div className="note more">{more}</div>
    </Cell>
  );
}

/** The service's reason for the state, and the distance of the price from a breach. */
function Reason({ row, view }: CellProps) {
  const signal = row?.signal ?? null;
  if (view.kind !== 'state' || signal === null) return null;
  const { note } = signal;
  const away = breachDistance(signal);
  if (note === '' && away === null) return null;
  const isPast = away !== null && away <= 0;
  // Past the level, the service's sentence says so.
  const isSaid = away !== null && (!isPast || note === '');
  return (
    <div className="reason">
      <p title={note}>
        {isSaid && <b>{texts.header.breachAt(price(signal.breach_level ?? 0), isPast ? null : percent(away))}</b>}{' '}
        {note}
      </p>
    </div>
  );
}

/** When a state was last known: an outage begins later. null: the service gave no time. */
function knownAt(signal: RowSignal | null, zone: Zone, worldNow: number): string | null {
  const at = [signal?.updated_at, signal?.since]
    .flatMap((one) => one ?? [])
    .sort()
    .at(-1);
  return at === undefined ? null : shortTimestamp(Date.parse(at), zone, worldNow);
}

/** Label and notes for a symbol whose state is unknown. */
function unavailableText(
  row: Row | undefined,
  view: SymbolView,
  worldNow: number,
  now: number,
  knownAt: string | null,
): [string, string, string] {
  switch (view.kind) {
    case 'offline':
      return view.was === null
        ? [texts.header.noSignal, texts.header.regimeOnly, '']
        : [
            texts.watchlist.unknown,
            texts.common.outage.wasAt(writtenState(view.was, row?.signal?.state_word), knownAt),
            texts.common.outage.mayHaveTurned,
          ];
    case 'stale':
      return [texts.watchlist.unknown, texts.header.staleNote(view.was, span(ageOf(row, worldNow, now) ?? 0)), ''];
    case 'regime_only':
      return [texts.header.noSignal, texts.header.regimeOnly, ''];
    case 'none':
      return [texts.watchlist.notCovered, texts.header.notCoveredNote, ''];
    default:
      return [texts.watchlist.unknown, texts.header.unknownNote, ''];
  }
}

function RegimeCell({ symbol, row, view, worldNow }: CellProps & { symbol: string }) {
  const regime = regimeOf(row);
  const label = regime === null ? null : regimeLabel(regime);
  const isOffline = view.kind === 'offline';
  return (
    <Cell className="regime" label={texts.header.regime}>
      <div className={isOffline || label === null ? 'figure wraps t3' : 'figure wraps'}>
        {isOffline || label === null ? texts.header.unknownRegime : label}
      </div>
      {!isOffline && label !== null && (
        <RegimeNow symbol={symbol} signal={row?.signal ?? null} regime={regime} worldNow={worldNow} />
      )}
      {isOffline && label !== null && (
        <>
          <div className="note">{texts.common.outage.wasPlain(label)}</div>
          <div className="note more">{texts.common.outage.mayHaveFlipped}</div>
        </>
      )}
    </Cell>
  );
}

interface RegimeNowProps {
  readonly symbol: string;
  readonly signal: RowSignal | null;
  readonly regime: string | null;
  readonly worldNow: number;
}

/**
 * Start and probability of the regime, then the candidate with what it still needs, else the likeliest other
 * one. The label is older than a state of the day in progress, so that it always has the day of its close.
 */
function RegimeNow({ symbol, signal, regime, worldNow }: RegimeNowProps) {
  const version = `${signal?.decided_at ?? ''} ${regime}`;
  const { data: now } = useChannelQuery('regime.read', { symbol }, { version });
  const candidate = now?.candidate ?? null;
  const { header } = texts;
  const day = (at: string): string => datedDay(sessionMs(Date.parse(at)), worldNow);
  // After a change of regime, the answer is about the previous one until the next answer arrives.
  if (now === undefined || now.regime !== regime || (now.confidence === null && candidate === null)) {
    const asOf = signal?.regime_as_of ?? null;
    return asOf === null ? null : <div className="note wraps">{header.regimeAsOf(day(asOf))}</div>;
  }
  const { confidence, since, decidedAt = null } = now;
  const confirmed = candidate === null ? null : decidedAt === null ? '' : day(decidedAt);
  const other = now.probabilities.find((one) => one.regime !== now.regime && one.probability >= MIN_SHOWN);
  const parts = [
    since === null ? '' : header.regimeSince(day(since)),
    confidence === null ? '' : header.regimeProbability(percent(confidence), confirmed),
    now.staleSeconds === undefined ? '' : header.noPriceFor(span(1_000 * now.staleSeconds)),
  ];
  const favoured =
    candidate === null
      ? []
      : [
          header.regimeFavoured(regimeLabel(candidate.regime), percent(candidate.confidence)),
          header.regimeNeeds(candidate.closesNeeded, candidate.waitsFor),
        ];
  const more =
    candidate !== null
      ? joined(favoured)
      : other === undefined
        ? ''
        : header.otherRegime(regimeLabel(other.regime), percent(100 * other.probability));
  return (
    <>
      <div className="note wraps">{joined(parts)}</div>
      {more !== '' && <div className={candidate === null ? 'note more' : 'note wraps candidate'}>{more}</div>}
    </>
  );
}

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ');

function ConfidenceCell({ row, view }: CellProps) {
  const signal = view.kind === 'state' ? (row?.signal ?? null) : null;
  if (signal === null || signal.confidence === null) {
    return (
      <Cell
        className="confidence"
        label={signal === null ? texts.header.confidence : texts.header.confidenceIn(signal.state)}
      >
        <div className="figure t3">{DASH}</div>
        <div className="note">
          {view.kind === 'offline' ? texts.common.outage.notStated : texts.header.noConfidence}
        </div>
      </Cell>
    );
  }
  const base = comparableBaseRate(signal.state, signal.base_rate);
  const held = signal.held_by;
  return (
    <Cell className="confidence" label={texts.header.confidenceIn(signal.state)}>
      <div className="figure">
        {percent(signal.confidence)} <span className="inline-label">{texts.header.confidence.toLowerCase()}</span>
      </div>
      <div className="confbar">
        <i style={{ width: `${signal.confidence}%` }} />
        {base !== null && <u style={{ left: `${base}%` }} />}
      </div>
      <div className="note below-bar" title={texts.header.baseOf(signal.state, signal.confidence_of ?? 'event')}>
        {base === null || base === 0 ? (
          texts.header.noBase
        ) : (
          <>
            {texts.header.timesBase(times(signal.confidence / base))}
            <span className="base-rate">{texts.header.baseRate(percent(base))}</span>
          </>
        )}
        <RecordInline symbol={signal.symbol} />
      </div>
      {signal.confidence_of === 'further_fall' && (
        <div className="note wraps claim">{texts.header.furtherFall(signal.state)}</div>
      )}
      {base !== null && signal.confidence < base && held !== undefined && held !== 'none' && (
        <div className="note wraps">{texts.header.heldBy[held]}</div>
      )}
    </Cell>
  );
}

interface LastedProps {
  readonly since: number;
  readonly assetClass: RowSignal['asset_class'];
  readonly worldNow: number;
}

/**
 * Duration of the state, by the clock and by the market: hours without trading do not count in the latter.
 */
function Lasted({ since, assetClass, worldNow }: LastedProps) {
  const environment = useSnapshot((snapshot) => snapshot.profile.environment);
  const calendar = assetClass === null ? 'always' : sessionCalendarOf(assetClass, environment);
  // Rounded to the minute, because computing sessions walks over the days.
  const minute = Math.floor(worldNow / 60_000) * 60_000;
  const market = useMemo(
    () => (calendar === 'always' ? null : marketTime(calendar, since, minute)),
    [calendar, since, minute],
  );
  return (
    <div className="note more">
      {market === null
        ? texts.header.lastsAlwaysOpen(lasting(worldNow - since), environment === 'sandbox')
        : texts.header.lasts(lasting(worldNow - since), market)}
    </div>
  );
}

/** The time of the last decision, and of the next one. */
function Decision({ signal, zone, worldNow }: { signal: RowSignal; zone: Zone; worldNow: number }) {
  const at = (time: string): string => shortTimestamp(Date.parse(time), zone, worldNow);
  const { decided_at: decided, next_decision_at: next } = signal;
  return (
    <div className="note more decision">
      {decided === null
        ? texts.header.updatedUnknown
        : texts.header.decision(at(decided), next === null ? null : at(next))}
    </div>
  );
}
