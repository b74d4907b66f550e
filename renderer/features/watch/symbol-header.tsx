// Renderer: the chosen symbol in three lines: its verdict, the chance of a fall, and the reason.
// Everything else about it is under More.
import { useId, useState } from 'react';
import type { Row, RowSignal } from '../../../shared/channels/state.ts';
import { breachDistance, FALL_SESSIONS, fallChance, isPriceBehind } from '../../../shared/domain/fall-chance.ts';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import { SOON_SESSIONS } from '../../../shared/domain/scheduled-events.ts';
import { writtenState } from '../../../shared/domain/states.ts';
import {
  chanceFigure,
  change,
  DASH,
  datedDay,
  dayAndYear,
  distance,
  percent,
  price,
  shortTimestamp,
  span,
  times,
  type Zone,
} from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { sessionMs } from '../../charts/model.ts';
import { useDue } from '../../queries/schedule.ts';
import { useNow } from '../../services.ts';
import { useIsOffline, useOutageStart, useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useStakeText } from '../../store/risk-order.ts';
import { lastPriceOf, type SymbolView, symbolViewOf } from '../../store/select.ts';
import { useDrawnMoment } from '../../store/shown-moment.ts';
import { useSnapshot } from '../../store/store.ts';
import { ChangeHighlight } from '../../ui/change-highlight.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon, IconButton } from '../../ui/icon.tsx';
import { Term } from '../../ui/term.tsx';
import { openPriceRule } from '../alert-rules/index.ts';
import { QuestionTag } from '../price-questions/index.ts';
import { StateWordsButton } from '../profiles/index.ts';
import { PriceFaultTag } from './price-fault.tsx';
import { ageOf, glyphOf, regimeOf } from './row-label.ts';
import { SymbolMore, useRegimeNow } from './symbol-more.tsx';
import './symbol-header.css';

const header = texts.header;

interface LineProps {
  readonly symbol: string;
  readonly row: Row | undefined;
  readonly view: SymbolView;
  readonly zone: Zone;
  readonly worldNow: number;
}

export function SymbolHeader({ symbol }: { symbol: string }) {
  const row = useSnapshot((snapshot) => snapshot.rows[symbol]);
  const isOffline = useIsOffline();
  const worldNow = useWorldMinute();
  const zone = usePreference((preference) => preference.zone);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const props: LineProps = { symbol, row, view: symbolViewOf(row, isOffline), zone, worldNow };
  return (
    <div className="symbol-header">
      <Verdict {...props} />
      <Fall {...props} />
      <div className="sh-reason">
        <DueSoon symbol={symbol} zone={zone} worldNow={worldNow} />
        <Reason {...props} />
        <button
          type="button"
          className="btn quiet"
          aria-label={header.moreAbout(symbol)}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {header.more}
          <Icon name={isOpen ? 'up' : 'down'} />
        </button>
      </div>
      <div id={id} className="sh-more" hidden={!isOpen}>
        <SymbolMore {...props} isOpen={isOpen} />
      </div>
    </div>
  );
}

/** Symbol, state and since when, how far from its breach; at the right its price. */
function Verdict(props: LineProps) {
  const { symbol, row, view, zone } = props;
  const profile = useSnapshot((snapshot) => snapshot.profile.name);
  const signal = row?.signal ?? null;
  const last = lastPriceOf(row);
  return (
    <div className="sh-verdict">
      <h1>{symbol}</h1>
      {view.kind === 'state' && signal !== null ? <Known {...props} signal={signal} /> : <Unavailable {...props} />}
      {signal !== null && <PriceFaultTag signal={signal} />}
      {signal?.price_question !== undefined && <QuestionTag symbol={symbol} question={signal.price_question} />}
      {last !== null && (
        <span className="sh-quote">
          <span className="md">{last.price === null ? DASH : price(last.price, signal?.currency)}</span>
          <PriceChange {...props} />
          {last.price !== null && (
            <IconButton
              icon="bell"
              label={texts.priceAlerts.add(symbol)}
              hasTitle
              onClick={() => openPriceRule(zone, profile, symbol)}
            />
          )}
        </span>
      )}
    </div>
  );
}

function Known({ signal, zone, worldNow }: LineProps & { signal: RowSignal }) {
  const { state, since } = signal;
  const distance = breachDistance(signal);
  return (
    <>
      <ChangeHighlight value={state} className={`sh-state block-${state}`}>
        <Glyph name={state} size={16} />
        {writtenState(state, signal.state_word)}
      </ChangeHighlight>
      {signal.state_word !== undefined && <StateWordsButton isTag />}
      <span className="t2">
        {since === null ? header.sinceUnknown : header.since(shortTimestamp(Date.parse(since), zone, worldNow))}
      </span>
      {distance !== null && <b>{header.toBreach(distance)}</b>}
    </>
  );
}

/** What was known of a symbol whose state is unknown, and since when it is not. */
function Unavailable({ row, view, zone, worldNow }: LineProps) {
  const now = useNow();
  const [word, note] = unavailableText(row, view, worldNow, now, knownAt(row?.signal ?? null, zone, worldNow));
  return (
    <>
      <span className="sh-state">
        <Glyph name={glyphOf(view)} size={16} />
        {word}
      </span>
      <span>{note}</span>
    </>
  );
}

/** The change of a current price; the time of any other. */
function PriceChange({ row, view, zone, worldNow }: LineProps) {
  const outage = useOutageStart();
  const last = lastPriceOf(row);
  const at = last?.at == null ? null : Date.parse(last.at);
  if (last === null || (outage !== null && at === null)) return null;
  const signal = row?.signal ?? null;
  const isLate = outage !== null || view.kind === 'stale' || (signal !== null && isPriceBehind(signal));
  const text =
    at !== null && last.isOld
      ? header.lastPriceOn(dayAndYear(sessionMs(at)))
      : at !== null && isLate
        ? header.priceAt(shortTimestamp(at, zone, worldNow))
        : change(last.change);
  return <span className="t2">{text}</span>;
}

/** When a state was last known: an outage begins later. null: the service gave no time. */
function knownAt(signal: RowSignal | null, zone: Zone, worldNow: number): string | null {
  const at = [signal?.updated_at, signal?.since]
    .flatMap((one) => one ?? [])
    .sort()
    .at(-1);
  return at === undefined ? null : shortTimestamp(Date.parse(at), zone, worldNow);
}

/** The word and the note of a symbol whose state is unknown. */
function unavailableText(
  row: Row | undefined,
  view: SymbolView,
  worldNow: number,
  now: number,
  knownAt: string | null,
): readonly [string, string] {
  switch (view.kind) {
    case 'offline': {
      if (view.was === null) return [header.noSignal, header.regimeOnly];
      const { wasAt, mayHaveTurned } = texts.common.outage;
      return [
        texts.watchlist.unknown,
        `${wasAt(writtenState(view.was, row?.signal?.state_word), knownAt)}, ${mayHaveTurned}`,
      ];
    }
    case 'stale':
      return [texts.watchlist.unknown, header.staleNote(view.was, span(ageOf(row, worldNow, now) ?? 0))];
    case 'regime_only':
      return [header.noSignal, header.regimeOnly];
    case 'none':
      return [texts.watchlist.notCovered, header.notCoveredNote];
    default:
      return [texts.watchlist.unknown, header.unknownNote];
  }
}

/** The one number, and its sentence. */
function Fall({ symbol, row, view }: LineProps) {
  const fall = view.kind === 'state' ? fallChance(row) : null;
  const stake = useStakeText(symbol);
  if (fall === null)
    return (
      <div className="sh-fall t2">
        <b className="sh-number">{DASH}</b>
        <p>{view.kind === 'state' ? header.fall.notStated : header.fall.notKnown}</p>
      </div>
    );
  const { percent: chance, isFurther, timesUsual, usual, size, level } = fall;
  const number = `${chanceFigure(chance)}\u00a0%`;
  return (
    <div className="sh-fall">
      <ChangeHighlight value={number} className={`sh-number of-${row?.signal?.state ?? 0}`}>
        {number}
      </ChangeHighlight>
      <p>
        <Term says={header.fall.says(isFurther)}>{header.fall.term}</Term>
        {header.fall.size(size === null ? null : distance(size), price(level ?? 0), isFurther)}
        {header.fall.within(FALL_SESSIONS)}
        {timesUsual === null || usual === null ? (
          header.fall.noUsual
        ) : (
          <span className="sh-whole">
            {header.fall.times(times(timesUsual))}
            <Term says={header.fall.usualSays(percent(usual))}>{header.fall.usual}</Term>.
          </span>
        )}{' '}
        {stake !== null && <span className="t2">{stake}</span>}
      </p>
    </div>
  );
}

/** What is due within two sessions, also of a past moment; or which lists could not be read. */
function DueSoon({ symbol, zone, worldNow }: Pick<LineProps, 'symbol' | 'zone' | 'worldNow'>) {
  const at = useDrawnMoment() ?? worldNow;
  const { events, unread } = useDue(symbol, at, SOON_SESSIONS);
  if (events.length === 0) return unread.length === 0 ? null : <span>{texts.due.unread(unread)}</span>;
  return <b className="sh-due">{texts.due.sentences(events, at, zone)}</b>;
}

/** A point within a number ends no sentence, nor do a few words. The whole note is under More. */
const FIRST_SENTENCE = /^.{20,}?[.!?](?=\s|$)/s;

/** The rule that holds the state, the first sentence of the service's own reason, and the regime. */
function Reason({ symbol, row, view, worldNow }: LineProps) {
  const signal = row?.signal ?? null;
  const regime = regimeOf(row);
  const now = useRegimeNow(symbol, signal, regime);
  // Of the past of a symbol without a signal, the service alone has the regime.
  const known = regime ?? now?.regime ?? null;
  const label = known === null ? null : regimeLabel(known);
  const since = now?.since == null ? null : datedDay(sessionMs(Date.parse(now.since)), worldNow);
  const held = view.kind === 'state' && fallChance(row)?.isHeld === true ? (signal?.held_by ?? 'none') : 'none';
  const note = view.kind === 'state' && signal !== null ? signal.note : '';
  return (
    <>
      {held !== 'none' && <b>{header.heldBy[held]}.</b>}
      {note !== '' && (
        <span className="sh-note" title={note}>
          {FIRST_SENTENCE.exec(note)?.[0] ?? note}
        </span>
      )}
      <span className="sh-regime">
        <Term says={header.regimeSays}>{header.regime}</Term>
        {label === null
          ? header.unknownRegime
          : view.kind === 'offline'
            ? header.regimeWas(label)
            : header.regimeIs(label, since)}
      </span>
    </>
  );
}
