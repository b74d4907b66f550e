// Renderer: the tools of the timeline: range, granularity, loading status, legend, export.
import { type FormEvent, useId, useRef, useState } from 'react';
import type { Granularity } from '../../../shared/channels/queries.ts';
import type { TimeRange } from '../../charts/brush-range.ts';
import { en } from '../../text/en.ts';
import { parseDay } from '../../text/timestamp-field.ts';
import { DayField } from '../../ui/day-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { dayOf, ownInterval } from './own-range.ts';
import type { RegimeSeriesQuery } from './use-regime-series.ts';

export const DAYS = [1, 5, 30, 90] as const;
/** A number of days up to now, or a fixed range. */
export type RangeChoice = { readonly days: (typeof DAYS)[number] } | { readonly interval: TimeRange };

const RESOLUTIONS: readonly Granularity[] = ['minute', 'hour', 'day'];
const DAY = 86_400_000;
/** Minutes of more than two days are too many for a chart. */
export const MOST_MINUTES = 2 * DAY;

interface ToolsProps {
  readonly chosen: RangeChoice;
  readonly onChosen: (chosen: RangeChoice) => void;
  readonly resolution: Granularity;
  readonly onResolution: (resolution: Granularity) => void;
  /** The whole known range. */
  readonly whole: TimeRange;
  readonly query: RegimeSeriesQuery;
}

export function TimelineTools({ chosen, onChosen, resolution, onResolution, whole, query }: ToolsProps) {
  const [isPromptOpen, setPromptOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <SegmentedControl
        label={en.chart.range}
        options={DAYS.map((value) => ({ value, label: en.chart.days(value) }))}
        value={'days' in chosen ? chosen.days : null}
        onChange={(days) => onChosen({ days })}
      />
      <button
        type="button"
        className="btn line own"
        aria-pressed={'interval' in chosen}
        ref={button}
        onClick={() => setPromptOpen(true)}
      >
        {en.chart.own}
      </button>
      <SegmentedControl
        label={en.chart.resolution}
        options={RESOLUTIONS.map((value) => ({ value, label: en.chart.resolutions[value] }))}
        value={resolution}
        onChange={onResolution}
      />
      <SeriesStatus query={resolution === 'day' ? null : query} resolution={resolution} />
      {isPromptOpen && (
        <OwnRange whole={whole} returnTo={button} onChosen={onChosen} onClose={() => setPromptOpen(false)} />
      )}
    </>
  );
}

/**
 * Loading progress of a series, its error, or that it is coarser than requested. Keeps its room, so that
 * nothing moves.
 */
function SeriesStatus({ query, resolution }: { query: RegimeSeriesQuery | null; resolution: Granularity }) {
  const progress = query?.progress ?? null;
  const text =
    progress !== null
      ? `${en.chart.loadingRegimes(en.chart.resolutions[resolution])} ${Math.floor(progress * 100)}\u00a0%`
      : (query?.problem ?? (query?.isCoarser === true ? en.chart.minuteRefused : ''));
  return (
    <span className="series-note grow">
      <output className="ell" title={text}>
        {text}
      </output>
      {progress !== null && (
        <button type="button" className="btn quiet" onClick={query?.stop}>
          {en.stop}
        </button>
      )}
    </span>
  );
}

interface OwnRangeProps {
  readonly whole: TimeRange;
  readonly returnTo: { readonly current: HTMLElement | null };
  readonly onChosen: (chosen: RangeChoice) => void;
  readonly onClose: () => void;
}

/** Whole UTC days, from the start of the first to the end of the last. */
function OwnRange({ whole, returnTo, onChosen, onClose }: OwnRangeProps) {
  const [from, setFrom] = useState(() => dayOf(Math.max(whole.from, whole.to - 7 * DAY)));
  const [to, setTo] = useState(() => dayOf(whole.to));
  const [problem, setProblem] = useState('');
  const id = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const interval = ownInterval(from, to, whole);
    if (typeof interval === 'string') {
      setProblem(
        interval === 'no_day' ? en.briefings.badDays.no_day : en.chart.ownOutside(dayOf(whole.from), dayOf(whole.to)),
      );
      return;
    }
    onChosen({ interval });
    onClose();
  };
  const shared = { describedBy: id, onLeave: () => undefined };
  // Both are valid days, so both are outside the known range.
  const areDays = parseDay(from) !== null && parseDay(to) !== null;
  const isWrong = (text: string): boolean => problem !== '' && (areDays || parseDay(text) === null);
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
