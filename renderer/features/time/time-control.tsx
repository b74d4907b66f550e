// Renderer: the control of the shown moment, under the chart: step, play, speed, a slider over all days, back to now.
// In a replay of our own service, play and pause act on its clock while now is shown.
import { useEffect, useId, useState } from 'react';
import { datedDay, shortDatedDay, weekdayTime } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { TimeRange } from '../../charts/chart-range.ts';
import { gapBoxes, stripBoxes, timeIndex } from '../../charts/geometry.ts';
import { type ChartModel, sessionMs } from '../../charts/model.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { showMoment, useShownMoment } from '../../store/shown-moment.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { IconButton } from '../../ui/icon.tsx';
import { backToNow } from './back-to-now.ts';
import './time.css';

const time = texts.time;
/** Days a second. */
const SPEEDS = [1, 2, 5] as const;

interface TimeControlProps {
  /** Up to now, at least one point. */
  readonly model: ChartModel;
  /** The range of the chart. */
  readonly range: TimeRange;
}

export function TimeControl({ model, range }: TimeControlProps) {
  const at = useShownMoment();
  const zone = usePreference((preference) => preference.zone);
  const { points } = model;
  const last = points.length - 1;
  // -1: before the first point.
  const index = at === null ? last : points.findLastIndex(({ ms }) => ms <= at);
  const go = (next: number): void => (next >= last ? backToNow() : showMoment(points[Math.max(0, next)]?.ms ?? null));
  const id = useId();
  const dayOf = (ms: number): string => datedDay(sessionMs(ms), points[last]?.ms ?? ms);
  const first = points.findIndex(({ ms }) => ms >= range.from);
  const [speed, setSpeed] = useState<(typeof SPEEDS)[number]>(1);
  const [isPlaying, setPlaying] = usePlay(index, last, speed, go);
  const world = useWorldPause();
  const isWorld = at === null && world !== null && !isPlaying;
  const runs = isWorld ? !world.isPaused : isPlaying;
  const mayPlay = isWorld || last > 0;
  const play = (): void => {
    if (!mayPlay) return;
    if (isWorld) world.pause(!world.isPaused);
    else {
      // Now is the end: plays the shown range from its beginning.
      if (at === null) go(Math.min(first, last - 1));
      setPlaying(!isPlaying);
    }
  };
  return (
    <section className={`time${at === null ? '' : ' past'}`} aria-label={time.label}>
      <div className="time-buttons">
        <IconButton
          icon="back"
          label={time.back}
          hasTitle
          aria-disabled={index <= 0}
          onClick={() => index > 0 && go(index - 1)}
        />
        <IconButton
          icon={runs ? 'pause' : 'play'}
          label={isWorld ? (runs ? time.pauseWorld : time.resumeWorld) : runs ? time.pause : time.play}
          hasTitle
          aria-disabled={!mayPlay}
          onClick={play}
        />
        <IconButton
          icon="forth"
          label={time.forth}
          hasTitle
          aria-disabled={at === null}
          onClick={() => at !== null && go(index + 1)}
        />
        <button
          type="button"
          className="btn quiet time-speed"
          title={time.speed}
          aria-label={`${time.speed}: ${time.perSecond(speed)}`}
          onClick={() => setSpeed(SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1)}
        >
          {time.perSecond(speed)}
        </button>
      </div>
      <div className="time-track">
        <Track model={model} range={range} />
        <span className="spoken" id={id}>
          {time.chartShows(dayOf(range.from), dayOf(range.to))}
        </span>
        <input
          type="range"
          min={0}
          max={last}
          value={Math.max(0, index)}
          aria-label={time.slider}
          aria-describedby={id}
          aria-valuetext={at === null ? time.now : weekdayTime(at, zone)}
          onChange={({ currentTarget }) => {
            setPlaying(false);
            go(Number(currentTarget.value));
          }}
        />
      </div>
      {at === null ? (
        <span className="time-live">{world?.isPaused === true ? time.worldPaused : time.live}</span>
      ) : (
        <button type="button" className="btn time-live" onClick={backToNow}>
          {time.backToNow}
        </button>
      )}
    </section>
  );
}

/** Shows the next day after each interval, up to now. Leaving the page pauses. */
function usePlay(index: number, last: number, speed: number, go: (index: number) => void) {
  const { clock } = useServices();
  const [isPlaying, setPlaying] = useState(false);
  const isOver = index >= last;
  // biome-ignore lint/correctness/useExhaustiveDependencies: go is another function with every render.
  useEffect(() => {
    if (!isPlaying) return;
    return clock.after(1000 / speed, () => {
      go(index + 1);
      if (index + 1 >= last) setPlaying(false);
    });
  }, [isPlaying, index, speed, clock]);
  // Back to now, from another control.
  if (isPlaying && isOver) setPlaying(false);
  return [isPlaying && !isOver, setPlaying] as const;
}

interface WorldPause {
  readonly isPaused: boolean;
  pause(isPaused: boolean): void;
}

/** null: the shown market is real, or another computer's. */
function useWorldPause(): WorldPause | null {
  const { intents } = useServices();
  const isPausable = useApp(({ features: { profiles } }) => {
    const source = profiles?.profiles.find(({ name }) => name === profiles.shown)?.source;
    return source?.kind === 'prices' && source.replay !== null;
  });
  const isPaused = useSnapshot(({ connection }) => connection.clock.speed === 0);
  return isPausable ? { isPaused, pause: (paused) => intents.send('profiles.pause', { paused }) } : null;
}

/** Size of the drawing, in its own units; it stretches. */
const [WIDTH, HEIGHT] = [600, 12];
/** Heights of the states. */
const HEIGHTS = [1.5, 6, 11] as const;

/** The states of all days, and the range of the chart below them. */
function Track({ model: { points, bands, gaps }, range }: TimeControlProps) {
  const id = useId();
  const [from, to] = [points[0]?.ms ?? 0, points.at(-1)?.ms ?? 0];
  // The slider moves by points, not by time.
  const indexAt = timeIndex(points.map(({ ms }) => ms));
  const toX = (ms: number): number => (indexAt(ms) / Math.max(1, points.length - 1)) * WIDTH;
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 3}`} preserveAspectRatio="none" aria-hidden="true">
        <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="2.2" height="5" fill="var(--elevated)" />
        </pattern>
        {stripBoxes(bands, toX, WIDTH).map(({ state, x0, x1 }) => (
          <rect
            key={x0}
            x={x0}
            y={HEIGHT - HEIGHTS[state]}
            width={Math.max(1, x1 - x0)}
            height={HEIGHTS[state]}
            fill={state === 2 ? 'var(--high)' : state === 1 ? `url(#${id})` : 'var(--normal)'}
          />
        ))}
        {gapBoxes(gaps, toX, WIDTH).map(({ x0, x1 }) => (
          <rect key={x0} x={x0} y={0} width={x1 - x0} height={HEIGHT} fill="var(--gap)" />
        ))}
        <rect
          className="time-range"
          x={toX(Math.max(from, range.from))}
          y={HEIGHT + 1}
          width={Math.max(2, toX(Math.min(to, range.to)) - toX(Math.max(from, range.from)))}
          height="2"
        />
      </svg>
      <p className="time-days" aria-hidden="true">
        <span>{shortDatedDay(sessionMs(from), to)}</span>
        <span>{shortDatedDay(sessionMs(points[points.length >> 1]?.ms ?? from), to)}</span>
        <span>{time.now}</span>
      </p>
    </>
  );
}
