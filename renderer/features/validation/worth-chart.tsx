// Renderer, validation: the money of holding and acting over time with the band of random alerts, and their falls.
import { type PointerEvent, useState } from 'react';
import type { WorthCourse } from '../../../shared/channels/worth.ts';
import type { Band, Course } from '../../../shared/domain/worth.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { dayAndYear, share } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { money, moneyRange } from '../../../shared/text/worth-text.ts';
import { linePath } from '../../ui/line-path.ts';
import { Stepper, stepBy } from '../../ui/stepper.tsx';

const text = texts.worth.chart;
/** The drawing's own units; the labels are beside it, so that they keep their size. */
const WIDTH = 1000;
const HEIGHT = 100;
const MAX_TICKS = 5;
const FAR = 12;
/** Round amounts of a decade. */
const ROUND = [1, 1.5, 2, 3, 5, 7];

interface WorthChartProps {
  readonly name: string;
  readonly course: Course;
  readonly out: WorthCourse['out'];
}

export function WorthChart({ name, course, out }: WorthChartProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const { days, random } = course;
  const last = days.length - 1;
  const [from, to] = [days[0] ?? 0, days[last] ?? 1];
  const x = (day: number): number => (WIDTH * (day - from)) / (to - from);
  const point = (event: PointerEvent<HTMLElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setPointed(Math.max(0, Math.min(last, Math.round((last * (event.clientX - left)) / width))));
  };
  const lines = { course, x, pointed, bands: out };
  const at = pointed ?? last;
  const said = pointText(course, at);
  return (
    <figure className="worth-chart" aria-label={text.name(name)}>
      <figcaption className="spoken">{said}</figcaption>
      <div className="worth-plots" onPointerMove={point} onPointerLeave={() => setPointed(null)}>
        <Stepper
          label={text.step}
          last={last}
          index={at}
          text={said}
          step={(key, shift) => stepBy(at, last, key, shift, FAR)}
          onMove={setPointed}
          onLeave={() => setPointed(null)}
        />
        <Part {...lines} {...moneyPart(course)} title={pointed === null ? text.top(name, out.length > 0) : said} />
        <Part {...lines} {...fallPart(course)} title={text.bottom} />
        <Years from={from} to={to} x={x} />
      </div>
      {random === null && <p className="t3">{texts.worth.tail.same}</p>}
    </figure>
  );
}

function pointText({ days, holding, acting, random }: Course, index: number): string {
  const band = random?.money[index];
  const values = text.point(
    money(holding[index] ?? 0),
    money(acting[index] ?? 0),
    band === undefined ? null : moneyRange(band),
  );
  return `${dayAndYear((days[index] ?? 0) * DAY_MS)}: ${values}`;
}

interface PartValues {
  readonly kind: 'money' | 'falls';
  readonly holding: readonly number[];
  readonly acting: readonly number[];
  readonly random: readonly Band[] | null;
  /** Position of a value, 0 at the top. */
  readonly y: (value: number) => number;
  readonly ticks: readonly { readonly value: number; readonly label: string }[];
}

/** On a scale of ratios, so that a fall has the same size at any height. */
function moneyPart({ holding, acting, random }: Course): PartValues {
  const values = [...holding, ...acting, ...(random?.money ?? []).flatMap(({ low, high }) => [low, high])];
  const [low, high] = [Math.log(Math.max(0.001, Math.min(...values))), Math.log(Math.max(...values))];
  const y = (value: number): number =>
    HEIGHT * (0.94 - (0.84 * (Math.log(Math.max(0.001, value)) - low)) / Math.max(0.01, high - low));
  const amounts = [-2, -1, 0, 1, 2].flatMap((decade) => ROUND.map((each) => each * 10 ** decade));
  const within = amounts.filter((value) => y(value) > 2 && y(value) < HEIGHT - 2);
  const every = Math.ceil(within.length / MAX_TICKS);
  const ticks = within.filter((_, index) => index % every === 0).map((value) => ({ value, label: money(value) }));
  return { kind: 'money', holding, acting, random: random?.money ?? null, y, ticks };
}

function fallPart({ holdingBelow, actingBelow, random }: Course): PartValues {
  const values = [...holdingBelow, ...actingBelow, ...(random?.below ?? []).map(({ high }) => high)];
  const most = Math.max(0.02, ...values);
  const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find((each) => most / each <= 3.5) ?? 0.5;
  const ticks = Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
  return {
    kind: 'falls',
    holding: holdingBelow,
    acting: actingBelow,
    random: random?.below ?? null,
    y: (value) => HEIGHT * (0.04 + (0.92 * value) / most),
    ticks: ticks.map((value) => ({ value, label: share(-value) })),
  };
}

interface PartProps extends PartValues {
  readonly course: Course;
  readonly x: (day: number) => number;
  readonly pointed: number | null;
  readonly bands: WorthCourse['out'];
  readonly title: string;
}

function Part({ kind, holding, acting, random, y, ticks, course: { days }, x, pointed, bands, title }: PartProps) {
  const path = (values: readonly number[]): string =>
    linePath(values.map((value, index) => [x(days[index] ?? 0), y(value)]));
  const edge = (of: keyof Band) => (random ?? []).map((band, index) => `${x(days[index] ?? 0)},${y(band[of])}`);
  return (
    <div className={`worth-part ${kind}`}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {bands.map((band) => (
          <rect key={band.from} x={x(band.from)} width={x(band.to) - x(band.from)} height={HEIGHT} className="out" />
        ))}
        {ticks.map(({ value }) => (
          <path key={value} d={`M0 ${y(value)}H${WIDTH}`} className="grid" />
        ))}
        {random !== null && (
          <polygon points={[...edge('low'), ...edge('high').reverse()].join(' ')} className="random" />
        )}
        <path d={path(holding)} className="holding" />
        <path d={path(acting)} className="acting" />
        {pointed !== null && <path d={`M${x(days[pointed] ?? 0)} 0V${HEIGHT}`} className="pointed" />}
      </svg>
      <p className="worth-title" aria-hidden="true">
        {title}
      </p>
      {ticks.map(({ value, label }) => (
        <span key={value} className="worth-tick" style={{ top: `${y(value)}%` }} aria-hidden="true">
          {label}
        </span>
      ))}
    </div>
  );
}

/** The first days of the years. */
function Years({ from, to, x }: { readonly from: number; readonly to: number; readonly x: (day: number) => number }) {
  const first = new Date(from * DAY_MS).getUTCFullYear() + 1;
  const years = Array.from({ length: 80 }, (_, index) => first + index).filter(
    (year) => Date.UTC(year, 0) <= to * DAY_MS,
  );
  const every = Math.ceil(years.length / 10);
  return (
    <div className="worth-years" aria-hidden="true">
      {years
        .filter((_, index) => index % every === 0)
        .map((year) => (
          <span key={year} style={{ left: `${x(Date.UTC(year, 0) / DAY_MS) / 10}%` }}>
            {year}
          </span>
        ))}
    </div>
  );
}
