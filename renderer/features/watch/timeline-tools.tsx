// Renderer: the tools of the timeline: how far back, in which steps, what is being read, the legend, and the way out as a file.
import { type FormEvent, useId, useRef, useState } from 'react';
import type { Granularity } from '../../../shared/channels/readings.ts';
import type { Stretch } from '../../charts/brush-range.ts';
import { useServices } from '../../services.ts';
import type { RegimeCourse, Slot } from '../../store/state.ts';
import { en } from '../../text/en.ts';
import { dayFrom } from '../../text/moment-field.ts';
import { DayField } from '../../ui/day-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Segment } from '../../ui/segment.tsx';
import { dayOf, ownStretch } from './own-range.ts';

export const DAYS = [1, 5, 30, 90] as const;
/** So many days up to now, which go on with the time, or a stretch that stays. */
export type Chosen = { readonly days: (typeof DAYS)[number] } | { readonly stretch: Stretch };

const GRAINS: readonly Granularity[] = ['minute', 'hour', 'day'];
const DAY = 86_400_000;
/** Minutes of more than two days are more than a chart can show. */
export const MOST_MINUTES = 2 * DAY;

interface ToolsProps {
  readonly chosen: Chosen;
  readonly onChosen: (chosen: Chosen) => void;
  readonly grain: Granularity;
  readonly onGrain: (grain: Granularity) => void;
  /** What is known at all. */
  readonly whole: Stretch;
  readonly slot: Slot<RegimeCourse> | undefined;
}

export function TimelineTools({ chosen, onChosen, grain, onGrain, whole, slot }: ToolsProps) {
  const [asking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Segment
        label={en.chart.range}
        options={DAYS.map((value) => ({ value, label: en.chart.days(value) }))}
        value={'days' in chosen ? chosen.days : null}
        onChange={(days) => onChosen({ days })}
      />
      <button
        type="button"
        className="btn line own"
        aria-pressed={'stretch' in chosen}
        ref={button}
        onClick={() => setAsking(true)}
      >
        {en.chart.own}
      </button>
      <Segment
        label={en.chart.grain}
        options={GRAINS.map((value) => ({ value, label: en.chart.grains[value] }))}
        value={grain}
        onChange={onGrain}
      />
      <Reading slot={grain === 'day' ? undefined : slot} grain={grain} />
      {asking && <OwnRange whole={whole} returnTo={button} onChosen={onChosen} onClose={() => setAsking(false)} />}
    </>
  );
}

/** How far a course has come, why it failed, or that it is coarser than what was asked for. It keeps its room, so that nothing moves. */
function Reading({ slot, grain }: { slot: Slot<RegimeCourse> | undefined; grain: Granularity }) {
  const { readings } = useServices();
  const isReading = slot?.status === 'reading';
  const coarser = slot?.value != null && slot.value.granularity !== slot.value.asked;
  const words = isReading
    ? `${en.chart.readingCourse(en.chart.grains[grain])} ${Math.floor((slot.progress ?? 0) * 100)}\u00a0%`
    : slot?.status === 'failed'
      ? slot.problem
      : coarser
        ? en.chart.minuteRefused
        : '';
  return (
    <span className="course-note grow">
      <output className="ell" title={words ?? undefined}>
        {words}
      </output>
      {isReading && (
        <button type="button" className="btn quiet" onClick={() => readings.stop('regimes')}>
          {en.stop}
        </button>
      )}
    </span>
  );
}

interface OwnRangeProps {
  readonly whole: Stretch;
  readonly returnTo: { readonly current: HTMLElement | null };
  readonly onChosen: (chosen: Chosen) => void;
  readonly onClose: () => void;
}

/** Whole days of UTC, from the beginning of the first to the end of the last. */
function OwnRange({ whole, returnTo, onChosen, onClose }: OwnRangeProps) {
  const [from, setFrom] = useState(() => dayOf(Math.max(whole.from, whole.to - 7 * DAY)));
  const [to, setTo] = useState(() => dayOf(whole.to));
  const [problem, setProblem] = useState('');
  const id = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const stretch = ownStretch(from, to, whole);
    if (typeof stretch === 'string') {
      setProblem(
        stretch === 'no_day' ? en.briefings.badDays.no_day : en.chart.ownOutside(dayOf(whole.from), dayOf(whole.to)),
      );
      return;
    }
    onChosen({ stretch });
    onClose();
  };
  const shared = { describedBy: id, onLeave: () => undefined };
  // Where neither is no day, both lie outside.
  const areDays = dayFrom(from) !== null && dayFrom(to) !== null;
  const isWrong = (text: string): boolean => problem !== '' && (areDays || dayFrom(text) === null);
  const typing = (set: (text: string) => void) => (text: string) => {
    set(text);
    setProblem('');
  };
  return (
    <Dialog heading={en.chart.ownRange} returnTo={returnTo} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <DayField
          label={en.chart.ownFrom}
          value={from}
          isWrong={isWrong(from)}
          onChange={typing(setFrom)}
          {...shared}
        />
        <DayField label={en.chart.ownTo} value={to} isWrong={isWrong(to)} onChange={typing(setTo)} {...shared} />
        <p className="own-wrong" id={id} role="alert">
          {problem}
        </p>
        <div className="dialog-actions">
          <button type="button" className="btn line" onClick={onClose}>
            {en.lists.cancel}
          </button>
          <button type="submit" className="btn primary">
            {en.chart.ownShow}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
