// Renderer: the chart component: passes the model to the drawing, adds name, summary and keyboard.
import { useEffect, useRef, useState } from 'react';
import { chanceOf } from '../../shared/domain/fall-chance.ts';
import { regimeLabel } from '../../shared/domain/regimes.ts';
import { stateLabel } from '../../shared/domain/states.ts';
import { priceDigits } from '../../shared/lib/price-digits.ts';
import { axisTick, datedDay, percent, price, utcOffset, weekdayTime } from '../../shared/text/format.ts';
import { texts } from '../../shared/text/texts.ts';
import { useWorldMinute } from '../store/connection-status.ts';
import { type ChartStyle, preferences, usePreference } from '../store/preferences.ts';
import { Stepper } from '../ui/stepper.tsx';
import { type Range, rangeWith } from './chart-range.ts';
import { changeHeading, gapHeading, pointText, summaryText, type TimeStyle } from './chart-text.ts';
import { readColors } from './colors.ts';
import type { ChartDue, ChartModel, ChartNote, GapBand, StateChange } from './model.ts';
import { type ChartLabels, createPriceChart, type PointerTarget, type PriceChart } from './price-chart.ts';
import { pointIndex, stepTo } from './stepping.ts';
import { letPageScroll } from './wheel.ts';
import './chart.css';

interface PriceChartViewProps {
  readonly model: ChartModel;
  readonly range: Range;
  readonly onRange: (range: Range) => void;
  readonly style: ChartStyle;
  /** Drawn in greys, because the data is not live. */
  readonly grey: boolean;
  /** The change of state to point out, chosen in the record; a new object points it out again. */
  readonly shown: { readonly stateChange: StateChange } | null;
  /** Draws a picture of the chart; null while there is no chart. */
  readonly picture: { current: (() => HTMLCanvasElement) | null };
  readonly notes: ChartNoteActions;
}

export interface ChartNoteActions {
  /** The instant at which the pointer or the keyboard is, world time, ms. */
  readonly onPointed: (at: number | null) => void;
  /** The user right-clicked, to add a note. */
  readonly onWanted: () => void;
  readonly onOpened: (note: ChartNote) => void;
}

const LABELS: ChartLabels = {
  highRisk: stateLabel(2),
  breach: texts.chart.breach,
  alert: texts.priceAlerts.line,
  regimeName: regimeLabel,
  priceDigits,
  // The library maps an array with it: the position must not become the currency.
  price: (value) => price(value),
  tick: (ms, resolution, isDay) => axisTick(ms, preferences.read().zone, resolution === 'day', isDay),
  utcOffset: (ms) => utcOffset(ms, preferences.read().zone),
};

export function PriceChartView({ model, range, onRange, style, grey, shown, picture, notes }: PriceChartViewProps) {
  const zone = usePreference((preference) => preference.zone);
  const theme = usePreference((preference) => preference.theme);
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<PriceChart>(null);
  const [pointed, setPointed] = useState<PointerTarget>(null);
  const rangeListener = useRef<(seen: Range) => void>(() => undefined);
  const clickListener = useRef<(clicked: PointerTarget) => void>(() => undefined);
  clickListener.current = (clicked) => {
    const [note] = notesOf(clicked, model);
    if (note !== undefined && clicked !== null && 'notes' in clicked) notes.onOpened(note);
  };
  const { onPointed } = notes;
  useEffect(() => onPointed(instantOf(pointed, model)), [onPointed, pointed, model]);

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const made = createPriceChart(element, readColors(element), LABELS, {
      onPointed: setPointed,
      onRange: (seen) => rangeListener.current(seen),
      onClicked: (clicked) => clickListener.current(clicked),
    });
    const leaveWheel = letPageScroll(element);
    chart.current = made;
    picture.current = made.picture;
    // The canvas measures names before the fonts are loaded; measure again once they are.
    document.fonts.ready.then(() => {
      if (chart.current === made) made.setColors(readColors(element));
    });
    return () => {
      chart.current = null;
      picture.current = null;
      leaveWheel();
      made.remove();
    };
  }, [picture]);
  useEffect(() => chart.current?.setModel(model), [model]);
  useEffect(() => chart.current?.setStyle(style), [style]);
  useEffect(() => {
    rangeListener.current = onRange;
    chart.current?.setRange(range);
  }, [range, onRange]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read the colours again for another theme.
  useEffect(() => {
    if (host.current !== null) chart.current?.setColors(readColors(host.current));
  }, [theme]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: make the labels again for another zone.
  useEffect(() => chart.current?.setLabels(), [zone]);

  useEffect(() => {
    setPointed(shown);
    if (shown === null) return;
    // The user may have scrolled to a row below the chart.
    host.current?.scrollIntoView?.({ block: 'nearest' });
    chart.current?.point(shown.stateChange.at);
  }, [shown]);

  const move = (index: number): void => {
    const at = model.points[index]?.ms;
    if (at === undefined) return;
    setPointed({ at });
    const next = rangeWith(range, index);
    if (next !== range) onRange(next);
    chart.current?.point(at);
  };
  return (
    <figure className={grey ? 'chart grey' : 'chart'} aria-label={nameOf(model)}>
      <Summary model={model} />
      <ChartStepper
        model={model}
        pointed={pointed}
        onMove={move}
        onOpen={() => {
          const [note] = notesOf(pointed, model);
          if (note !== undefined) notes.onOpened(note);
          return note !== undefined;
        }}
        onLeave={() => chart.current?.point(null)}
      />
      <div
        className="chart-host"
        ref={host}
        aria-hidden="true"
        onContextMenu={(event) => {
          event.preventDefault();
          notes.onWanted();
        }}
      />
      <Readout model={model} pointed={pointed} />
      {model.bands.length > 0 && <LaneLabels />}
    </figure>
  );
}

const nameOf = ({ points, symbol }: PriceChartViewProps['model']): string =>
  points.some((point) => point.price !== null) ? texts.chart.name(symbol) : texts.chart.regimeOnlyName(symbol);

/** The transitions and the state are drawn below the price. */
const LaneLabels = () => (
  <div className="lane-labels" aria-hidden="true">
    <span>{texts.chart.transitions}</span>
    <span>{texts.chart.state}</span>
  </div>
);

function useTimeStyle(): TimeStyle {
  return { zone: usePreference((preference) => preference.zone), now: useWorldMinute() };
}

function Summary({ model }: { model: ChartModel }) {
  return <figcaption className="spoken">{summaryText(model, useTimeStyle())}</figcaption>;
}

/** Keyboard navigation along the chart: by day with the arrows, by transition with Shift. */
function ChartStepper({ model, pointed, onMove, onOpen, onLeave }: ChartStepperProps) {
  const style = useTimeStyle();
  const last = model.points.length - 1;
  const index = indexOf(pointed, model) ?? last;
  const point = model.points[index];
  return (
    <Stepper
      label={texts.chart.byDay(model.symbol)}
      last={last}
      index={index}
      text={
        point &&
        [
          pointText(point, model, style),
          ...dueTextsAt(index, model),
          ...(index === last ? dueAfter(point.ms, model).map((one) => dueText(one, style)) : []),
          ...notesOf(pointed, model).map(noteText),
        ].join('. ')
      }
      step={(key, shift) => stepTo(model, index, key, shift)}
      onMove={onMove}
      onOpen={onOpen}
      onLeave={onLeave}
    />
  );
}

interface ChartStepperProps {
  readonly model: ChartModel;
  readonly pointed: PointerTarget;
  readonly onMove: (index: number) => void;
  /** Returns whether there was something to open. */
  readonly onOpen: () => boolean;
  readonly onLeave: () => void;
}

/** The notes at a position, newest first. A point has the notes since the point before it. */
function notesOf(pointed: PointerTarget, { points, notes = [] }: ChartModel): readonly ChartNote[] {
  if (pointed === null) return [];
  if ('notes' in pointed) return pointed.notes.toReversed();
  const index = indexOf(pointed, { points });
  if (index === null) return [];
  const point = points[index];
  const before = points[index - 1]?.ms ?? Number.NEGATIVE_INFINITY;
  return point === undefined ? [] : notes.filter(({ at }) => at > before && at <= point.ms).toReversed();
}

/** What was due at a point, since the one before it. */
function dueTextsAt(index: number, { points, due = [] }: ChartModel): readonly string[] {
  const [before, at] = [points[index - 1]?.ms ?? Number.NEGATIVE_INFINITY, points[index]?.ms ?? 0];
  return due.filter((one) => one.at > before && one.at <= at).map(({ text }) => text);
}

/** What is due after the last point, where no key leads, next first. */
const dueAfter = (ms: number, { due = [] }: ChartModel): readonly ChartDue[] =>
  due.filter(({ at }) => at > ms).slice(0, MAX_NAMED);
const dueText = ({ day, text }: ChartDue, { now }: TimeStyle): string =>
  texts.chart.dueOn(datedDay(Date.parse(day), now), text);

const noteText = ({ text }: ChartNote): string => texts.chart.notes.note(text);

function instantOf(pointed: PointerTarget, model: ChartModel): number | null {
  if (pointed === null || 'gap' in pointed) return null;
  if ('notes' in pointed) return pointed.notes.at(-1)?.at ?? null;
  if ('due' in pointed) return null;
  if ('stateChange' in pointed) return pointed.stateChange.at;
  const index = indexOf(pointed, model);
  return index === null ? null : (model.points[index]?.ms ?? null);
}

/** The point at which the pointer or the keyboard is; null: at no point of this model. */
const indexOf = (pointed: PointerTarget, { points }: Pick<ChartModel, 'points'>): number | null =>
  pointed !== null && 'at' in pointed ? pointIndex(points, pointed.at) : null;

function Readout({ model, pointed }: { model: ChartModel; pointed: PointerTarget }) {
  const style = useTimeStyle();
  if (pointed === null) return null;
  if ('gap' in pointed) return <GapReadout gap={pointed.gap} />;
  if ('stateChange' in pointed) return <TransitionCard stateChange={pointed.stateChange} />;
  if ('notes' in pointed) return <NoteCard notes={notesOf(pointed, model)} />;
  if ('due' in pointed)
    return (
      <div className="readout card" aria-live="polite">
        {pointed.due.map((one) => (
          <p key={`${one.day} ${one.text}`}>{dueText(one, style)}</p>
        ))}
      </div>
    );
  const index = indexOf(pointed, model);
  const point = index === null ? undefined : model.points[index];
  if (index === null || point === undefined) return null;
  const before = model.points[index - 1]?.ms ?? Number.NEGATIVE_INFINITY;
  const within = model.stateChanges.filter(({ at }) => at > before && at <= point.ms);
  return (
    <div className="readout" aria-hidden="true">
      {pointText(point, model, style)}
      {within.slice(-MAX_NAMED).map((one) => (
        <p key={`${one.at} ${one.to}`}>{changeHeading(one, style)}</p>
      ))}
      {within.length > MAX_NAMED && <p>{texts.chart.moreTransitions(within.length - MAX_NAMED)}</p>}
      {dueTextsAt(index, model).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {notesOf(pointed, model)
        .slice(0, MAX_NAMED)
        .map((note) => (
          <p key={`${note.kind} ${note.at} ${note.text}`}>{noteText(note)}</p>
        ))}
    </div>
  );
}

/** Most changes of one day that are named. */
const MAX_NAMED = 3;

/** The details of a change of state: time, confidence, regime and reason. */
function TransitionCard({ stateChange }: { stateChange: StateChange }) {
  const style = useTimeStyle();
  const { transition } = stateChange;
  const chance = transition === null ? null : chanceOf({ ...transition, state: transition.to_state, base_rate: null });
  return (
    <div className="readout card" aria-live="polite">
      <b>{changeHeading(stateChange, style)}</b>
      {transition === null ? (
        <p>{texts.chart.fromHistory}</p>
      ) : (
        <>
          <p>
            {texts.chart.transitionDetails(
              chance === null ? null : percent(chance.percent),
              transition.regime === null ? texts.chart.noRegime : regimeLabel(transition.regime),
            )}
          </p>
          {transition.note !== '' && <p>{transition.note}</p>}
        </>
      )}
    </div>
  );
}

/** The texts of the user's notes, each with its time. */
function NoteCard({ notes }: { notes: readonly ChartNote[] }) {
  const zone = usePreference((preference) => preference.zone);
  return (
    <div className="readout card" aria-live="polite">
      {notes.slice(0, MAX_NAMED).map((note) => (
        <div key={`${note.kind} ${note.at} ${note.text}`}>
          <b>{texts.chart.notes.heading(note.kind, weekdayTime(note.at, zone))}</b>
          <p className="note-text">{note.text}</p>
        </div>
      ))}
      {notes.length > MAX_NAMED && <p>{texts.chart.notes.more(notes.length - MAX_NAMED)}</p>}
    </div>
  );
}

function GapReadout({ gap }: { gap: GapBand }) {
  const zone = usePreference((preference) => preference.zone);
  return (
    <p className="readout" aria-hidden="true">
      <b>{gapHeading(gap, zone)}</b>
      <br />
      {gap.cause !== '' && (
        <>
          {gap.cause}
          <br />
        </>
      )}
      {gap.ofPrices === true ? texts.chart.holeStands : texts.chart.gapStays}
    </p>
  );
}
