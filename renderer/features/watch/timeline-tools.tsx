// Renderer: the tools of the timeline: range, granularity, loading status, legend, export.
import { useState } from 'react';
import type { Granularity } from '../../../shared/channels/queries.ts';
import { err, ok } from '../../../shared/lib/result.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { texts } from '../../../shared/text/texts.ts';
import { DAY_FORMAT, parseDay } from '../../../shared/text/timestamp-field.ts';
import type { TimeRange } from '../../charts/chart-range.ts';
import { sessionMs } from '../../charts/model.ts';
import { CHART_STYLES, type ChartStyle } from '../../store/preferences.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form/fields.tsx';
import { DialogActions, Form, useSchemaForm } from '../../ui/form/form.tsx';
import { readDraft } from '../../ui/form/schemas.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import type { StepNote } from './shown-step.ts';
import type { RegimeSeriesQuery } from './use-regime-series.ts';

export const DAYS = [1, 5, 30, 90] as const;
/** A number of days up to now, or a fixed range. */
export type RangeChoice = { readonly days: (typeof DAYS)[number] } | { readonly interval: TimeRange };

const RESOLUTIONS: readonly Granularity[] = ['minute', 'hour', 'day'];

interface ToolsProps {
  readonly chosen: RangeChoice;
  readonly onChosen: (chosen: RangeChoice) => void;
  readonly resolution: Granularity;
  readonly onResolution: (resolution: Granularity) => void;
  /** null: there are no candles to choose. */
  readonly style: ChartStyle | null;
  readonly onStyle: (style: ChartStyle) => void;
  /** The whole known range. */
  readonly whole: TimeRange;
  /** null: days need no query. */
  readonly query: RegimeSeriesQuery | null;
  readonly note: StepNote;
}

export function TimelineTools(props: ToolsProps) {
  const { chosen, onChosen, resolution, onResolution, style, onStyle, whole, query, note } = props;
  const [isPromptOpen, setPromptOpen] = useState(false);
  return (
    <>
      <SegmentedControl
        label={texts.chart.range}
        options={DAYS.map((value) => ({ value, label: texts.chart.days(value) }))}
        value={'days' in chosen ? chosen.days : null}
        onChange={(days) => onChosen({ days })}
      />
      <button
        type="button"
        className="btn line own"
        aria-pressed={'interval' in chosen}
        onClick={() => setPromptOpen(true)}
      >
        {texts.chart.own}
      </button>
      <SegmentedControl
        label={texts.chart.resolution}
        options={RESOLUTIONS.map((value) => ({ value, label: texts.chart.resolutions[value] }))}
        value={resolution}
        onChange={onResolution}
      />
      {style !== null && (
        <SegmentedControl
          label={texts.chart.style}
          options={CHART_STYLES.map((value) => ({ value, label: texts.chart.styles[value] }))}
          value={style}
          onChange={onStyle}
        />
      )}
      <SeriesStatus query={query} resolution={resolution} note={note} />
      {isPromptOpen && <OwnRange whole={whole} onChosen={onChosen} onClose={() => setPromptOpen(false)} />}
    </>
  );
}

/**
 * Loading progress of a series, its error, or why the drawn step is not the chosen one. Keeps its room, so
 * that nothing moves.
 */
function SeriesStatus({ query, resolution, note }: Pick<ToolsProps, 'query' | 'resolution' | 'note'>) {
  const progress = query?.progress ?? null;
  const text =
    progress !== null
      ? `${texts.chart.loadingRegimes(texts.chart.resolutions[resolution])} ${Math.floor(progress * 100)}\u00a0%`
      : (query?.problem ?? (note === null ? '' : texts.chart.stepNotes[note]));
  return (
    <span className="series-note grow">
      <output title={text}>{text}</output>
      {progress !== null && (
        <button type="button" className="btn quiet" onClick={query?.stop}>
          {texts.common.stop}
        </button>
      )}
    </span>
  );
}

interface OwnRangeProps {
  readonly whole: TimeRange;
  readonly onChosen: (chosen: RangeChoice) => void;
  readonly onClose: () => void;
}

/** Whole UTC days, from the start of the first to the end of the last. */
const rangeSchema = (whole: TimeRange) =>
  readDraft<{ readonly from: string; readonly to: string }, TimeRange>(({ from, to }) => {
    const interval = ownInterval(from, to, whole);
    if (typeof interval !== 'string') return ok(interval);
    if (interval === 'outside') {
      const message = texts.chart.ownOutside(dayOf(whole.from), dayOf(whole.to));
      return err({ from: message, to: message });
    }
    const wrong = Object.entries({ from, to }).filter(([, text]) => parseDay(text) === null);
    return err(Object.fromEntries(wrong.map(([name]) => [name, texts.briefings.badDays.no_day])));
  });

function OwnRange({ whole, onChosen, onClose }: OwnRangeProps) {
  const form = useSchemaForm(rangeSchema(whole), {
    defaultValues: { from: dayOf(Math.max(whole.from, whole.to - 7 * DAY_MS)), to: dayOf(whole.to) },
  });
  const field = { control: form.control, inputMode: 'numeric', maxLength: 12, placeholder: DAY_FORMAT } as const;
  return (
    <Dialog heading={texts.chart.ownRange} onClose={onClose}>
      <Form
        form={form}
        onSubmit={(interval) => {
          onChosen({ interval });
          onClose();
        }}
      >
        <TextField {...field} name="from" label={texts.chart.ownFrom} />
        <TextField {...field} name="to" label={texts.chart.ownTo} />
        <DialogActions cancel={texts.lists.cancel} submit={texts.chart.ownShow} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

/** "2026-03-04": the session day of a time, ms. */
export const dayOf = (ms: number): string => new Date(sessionMs(ms)).toISOString().slice(0, 10);

/** @returns from the start of the earlier day to the end of the later one; else why there is no such range */
export function ownInterval(from: string, to: string, whole: TimeRange): TimeRange | 'no_day' | 'outside' {
  const days = [parseDay(from), parseDay(to)];
  if (days.includes(null)) return 'no_day';
  const [first, last] = days.map((day) => Date.parse(day ?? '')).sort((a, b) => a - b) as [number, number];
  // A close at midnight belongs to the day that it ends.
  const [begin, end] = [first + 1, last + DAY_MS];
  if (begin > whole.to || end < whole.from) return 'outside';
  return { from: Math.max(whole.from, begin), to: Math.min(whole.to, end) };
}
