// Renderer: the chosen symbol's header: price, state, decision, regime, confidence and record.
import { useMemo } from 'react';
import type { Row } from '../../../shared/channels/state.ts';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import { openTime, sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import type { Signal } from '../../../shared/wire/records.ts';
import { useNow } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { comparableBaseRate, type SymbolView, symbolViewOf } from '../../store/select.ts';
import { useSnapshot } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { change, DASH, percent, price, shortTimestamp, span, times, type Zone } from '../../text/format.ts';
import { ChangeHighlight } from '../../ui/change-highlight.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Cell } from './header-cell.tsx';
import { HoldOutCell, RecordInline } from './hold-out-cell.tsx';
import { ageOf, glyphOf, regimeOf } from './row-label.ts';
import './symbol-header.css';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useIsOffline, useOutageStart, useWorldNow } from '../../store/connection-status.ts';

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
    <div className="symbol-header">
      <PriceCell symbol={symbol} {...props} />
      <StateCell {...props} />
      <RegimeCell symbol={symbol} {...props} />
      <ConfidenceCell {...props} />
      <HoldOutCell symbol={symbol} />
    </div>
  );
}

function PriceCell({ symbol, row, outageAt }: CellProps & { symbol: string }) {
  const signal = row?.signal ?? null;
  return (
    <Cell className="price">
      <div className="row">
        <h1 className="figure">{symbol}</h1>
        {signal !== null && <span className="tag">{en.header.classes[signal.asset_class]}</span>}
      </div>
      {signal !== null && (
        <>
          <div className="quote">
            <span className="quote-price">{price(signal.price)}</span>
            <span className="quote-change">
              {outageAt === null ? change(signal.change_pct) : en.header.priceAt(outageAt)}
            </span>
          </div>
          <div className="note name ell" title={signal.name}>
            {signal.name}
          </div>
        </>
      )}
    </Cell>
  );
}

function StateCell({ row, view, zone, worldNow, now, outageAt }: CellProps) {
  const signal = row?.signal ?? null;
  if (view.kind === 'state' && signal !== null) {
    const since = Date.parse(signal.since);
    return (
      <Cell className="state" label={en.header.state}>
        <ChangeHighlight value={view.state} className={`figure row block-${view.state}`}>
          <Glyph name={view.state} size={view.state === 2 ? 17 : 20} />
          {stateLabel(view.state)}
        </ChangeHighlight>
        <div className="note">{en.header.since(shortTimestamp(since, zone, worldNow))}</div>
        <Lasted signal={signal} worldNow={worldNow} />
        <Decision signal={signal} zone={zone} worldNow={worldNow} />
      </Cell>
    );
  }
  const [word, note, more] = unavailableText(row, view, worldNow, now, outageAt);
  return (
    <Cell className="state" label={en.header.state}>
      <div className="figure row t3">
        <Glyph name={glyphOf(view)} size={20} />
        {word}
      </div>
      <div className="note wraps">{note}</div>
      <div className="note more">{more}</div>
    </Cell>
  );
}

/** Label and notes for a symbol whose state is unknown. */
function unavailableText(
  row: Row | undefined,
  view: SymbolView,
  worldNow: number,
  now: number,
  outageAt: string | null,
): [string, string, string] {
  switch (view.kind) {
    case 'offline':
      return view.was === null
        ? [en.header.noSignal, en.header.regimeOnly, '']
        : [en.watch.unknown, en.outage.wasAt(stateLabel(view.was), outageAt ?? ''), en.outage.mayHaveTurned];
    case 'stale':
      return [en.watch.unknown, en.header.staleNote(view.was, span(ageOf(row, worldNow, now) ?? 0)), ''];
    case 'regime_only':
      return [en.header.noSignal, en.header.regimeOnly, ''];
    case 'none':
      return [en.watch.notCovered, en.header.notCoveredNote, ''];
    default:
      return [en.watch.unknown, en.header.unknownNote, ''];
  }
}

function RegimeCell({ symbol, row, view }: CellProps & { symbol: string }) {
  const regime = regimeOf(row);
  const label = regime === null ? null : regimeLabel(regime);
  const isOffline = view.kind === 'offline';
  return (
    <Cell className="regime" label={en.header.regime}>
      <div className={isOffline || label === null ? 'figure wraps t3' : 'figure wraps'}>
        {isOffline || label === null ? en.header.unknownRegime : label}
      </div>
      {!isOffline && label !== null && (
        <RegimeNow symbol={symbol} decidedAt={row?.signal?.decided_at ?? ''} regime={regime} />
      )}
      {isOffline && label !== null && (
        <>
          <div className="note">{en.outage.wasPlain(label)}</div>
          <div className="note more">{en.outage.mayHaveFlipped}</div>
        </>
      )}
    </Cell>
  );
}

/** The probability of the current regime, and the likeliest other one. */
function RegimeNow({ symbol, decidedAt, regime }: { symbol: string; decidedAt: string; regime: string | null }) {
  const { data: now } = useChannelQuery('regime.read', { symbol }, { version: `${decidedAt} ${regime}` });
  if (now === undefined || now.confidence === null) return null;
  const other = now.probabilities.find((one) => one.regime !== now.regime);
  return (
    <>
      <div className="note">{en.header.regimeProbability(percent(now.confidence))}</div>
      {other !== undefined && (
        <div className="note more">
          {en.header.otherRegime(regimeLabel(other.regime), percent(100 * other.probability))}
        </div>
      )}
    </>
  );
}

function ConfidenceCell({ row, view }: CellProps) {
  const signal = view.kind === 'state' ? (row?.signal ?? null) : null;
  if (signal === null || signal.confidence === null) {
    return (
      <Cell
        className="confidence"
        label={signal === null ? en.header.confidence : en.header.confidenceIn(signal.state)}
      >
        <div className="figure t3">{DASH}</div>
        <div className="note">{view.kind === 'offline' ? en.outage.notStated : en.header.noConfidence}</div>
      </Cell>
    );
  }
  const base = comparableBaseRate(signal.state, signal.base_rate);
  return (
    <Cell className="confidence" label={en.header.confidenceIn(signal.state)}>
      <div className="figure">
        {percent(signal.confidence)} <span className="inline-label">{en.header.confidence.toLowerCase()}</span>
      </div>
      <div className="confbar">
        <i style={{ width: `${signal.confidence}%` }} />
        {base !== null && <u style={{ left: `${base}%` }} />}
      </div>
      <div className="note below-bar" title={en.header.baseOf(signal.state)}>
        {base === null || base === 0 ? (
          en.header.noBase
        ) : (
          <>
            {en.header.timesBase(times(signal.confidence / base))}
            <span className="base-rate">{en.header.baseRate(percent(base))}</span>
          </>
        )}
        <RecordInline symbol={signal.symbol} />
      </div>
    </Cell>
  );
}

/**
 * Duration of the state, by the clock and by the market: hours without trading do not count in the latter.
 */
function Lasted({ signal, worldNow }: { signal: Signal; worldNow: number }) {
  const environment = useSnapshot((snapshot) => snapshot.profile.environment);
  const calendar = sessionCalendarOf(signal.asset_class, environment);
  const since = Date.parse(signal.since);
  // By the minute, because computing sessions walks over the days.
  const minute = Math.floor(worldNow / 60_000) * 60_000;
  const market = useMemo(
    () => (calendar === 'always' ? null : openTime(calendar, since, minute)),
    [calendar, since, minute],
  );
  return (
    <div className="note more">{en.header.lasts(span(worldNow - since), market === null ? null : span(market))}</div>
  );
}

/** When this was decided, and when the next decision is due. */
function Decision({ signal, zone, worldNow }: { signal: Signal; zone: Zone; worldNow: number }) {
  const at = (time: string): string => shortTimestamp(Date.parse(time), zone, worldNow);
  return (
    <div className="note more decision">{en.header.decision(at(signal.decided_at), at(signal.next_decision_at))}</div>
  );
}
