// Main, command line: the page Record as one HTML file, which needs no script and nothing from elsewhere.
// It shares texts, data and the geometry of the plots with the window's page, not its components, because main
// imports no renderer.
import type { LiveRecord, ValidationRecord } from '../../../shared/channels/queries.ts';
import {
  AFTER_LINES,
  fine,
  type KeyFigure,
  keyFigures,
  liveFigures,
  OUTCOME_LINES,
  uncertaintyText,
} from '../../../shared/channels/record-figures.ts';
import type { ReliabilityCurve } from '../../../shared/channels/validation.ts';
import { type NamedSeries, worthRecord } from '../../../shared/channels/worth-record.ts';
import { isOwnModel } from '../../../shared/domain/model-version.ts';
import { DIAGRAM, interval, reliabilityPlot, shareX } from '../../../shared/domain/record-plots.ts';
import { DEFAULT_WORTH, type Worth } from '../../../shared/domain/worth.ts';
import { type PastSeries, WORTH_SEED, worthOf } from '../../../shared/domain/worth-of.ts';
import { escapeHtml } from '../../../shared/lib/html-text.ts';
import { count, DASH, dayAndYear, fullTimestamp, percent, power } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { intervalText, points, verdictOf, wholeShare } from '../../../shared/text/worth-text.ts';

const { validation: words, worth: acting } = texts;
const WINDOWS = ['holdout', 'full'] as const;
type Metrics = ValidationRecord['symbols'][number]['full'];

/** The colours of the window's themes (renderer/theme/tokens.css); paper has the light ones. */
const STYLE = `
:root{color-scheme:light dark;--ground:#fbfcfc;--text:#11181b;--quiet:#3f4b51;--line:#d8dfe1;--accent:#0b5f8a;--wash:#0b5f8a26}
@media screen and (prefers-color-scheme:dark){:root{--ground:#0f1417;--text:#e6e9eb;--quiet:#a3afb5;--line:#2a3338;--accent:#6db9e3;--wash:#6db9e326}}
body{margin:2rem auto;max-width:60rem;padding:0 1.5rem;font:15px/1.5 system-ui,sans-serif;background:var(--ground);color:var(--text)}
h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}p{margin:.3rem 0;overflow-wrap:anywhere}
.quiet,dt,caption,th{color:var(--quiet)}dl.figures{display:flex;flex-wrap:wrap;gap:1rem 2.5rem}dd{margin:0}
.figures b{font-size:1.6rem;font-weight:600}.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .5rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap;font-weight:400}
th:first-child{text-align:left}tbody th{color:var(--text)}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(20rem,1fr));gap:1rem}figure{margin:0;break-inside:avoid}
svg{display:block;overflow:visible;width:100%;height:auto;font-size:11px;fill:var(--quiet)}td svg{width:9rem;height:1.4rem}
dl.facts{display:grid;grid-template-columns:9rem 1fr;gap:.3rem 1rem}
@media print{body{margin:0;max-width:none;font-size:11px}h2{break-after:avoid}tr{break-inside:avoid}}`;

/**
 * @param record as the window reads it from the service
 * @param closes that it scored, by symbol
 */
export function recordPage(record: ValidationRecord, closes: ReadonlyMap<string, PastSeries>): string {
  const { computed_at, details, symbols, notes, live } = record;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${text(`${words.heading}, ${computed_at.slice(0, 10)}`)}</title><style>${STYLE}</style></head><body><main>`,
    `<h1>${text(words.heading)}</h1>`,
    paragraph(`${words.question} ${words.computed(fullTimestamp(Date.parse(computed_at), 'utc'))}`),
    ...worth(symbols, closes),
    `<h2>${text(words.kinds('closes', null))}</h2>`,
    ...(details.pooled === null ? [] : [figures(keyFigures(details.pooled))]),
    ...symbolTable(symbols),
    ...(details.outcomes === null ? [] : outcomesTables(details.outcomes)),
    ...(live == null ? [] : liveSection(live)),
    `<h2>${text(words.calibration)}</h2><div class="plots">`,
    ...(['high_risk', 'reliability'] as const).flatMap((days) =>
      WINDOWS.flatMap((window) => diagram(details[days][window], days, window)),
    ),
    '</div>',
    ...baselineTable(record),
    ...facts(record),
    ...(notes === '' ? [] : [paragraph(notes)]),
    `<h2>${text(words.silent)}</h2>`,
    ...words.silentLines(symbols.length, details.pooled?.full.events ?? null).map(paragraph),
    '</main></body></html>\n',
  ].join('\n');
}

/** Everything written passes here: names of symbols, models and rules come from files. */
const text = escapeHtml;
const paragraph = (sentence: string): string => `<p class="quiet">${text(sentence)}</p>`;
const figure = (value: number | null): string => (value === null ? DASH : fine(value));
const share = (value: number): string => percent(value * 100);
const at = (value: number): string => String(Math.round(value * 10) / 10);

const figures = (all: readonly KeyFigure[]): string =>
  [
    '<dl class="figures">',
    ...all.map(
      ({ name, value, full, note }) =>
        `<div><dt>${text(name)}</dt><dd><b>${text(value ?? DASH)}</b> ${full === null ? '' : text(words.full(full))}<p class="quiet">${text(note)}</p></dd></div>`,
    ),
    '</dl>',
  ].join('');

/** Rows with a name; the first head is that of the names. */
const table = (heads: readonly string[], rows: readonly (readonly [string, ...string[]])[]): string =>
  [
    `<div class="wide"><table><thead><tr>${heads.map((head) => `<th scope="col">${text(head)}</th>`).join('')}</tr></thead><tbody>`,
    ...rows.map(([name, ...cells]) => `<tr><th scope="row">${text(name)}</th>${cells.map(cell).join('')}</tr>`),
    '</tbody></table></div>',
  ].join('\n');

/** What acting brought of all scored symbols, as the window computes it by default. */
function worth(symbols: ValidationRecord['symbols'], closes: ReadonlyMap<string, PastSeries>): string[] {
  const { way, cost } = DEFAULT_WORTH;
  const rule = { way, cost: cost / 100, market: null };
  function* figuresOf(members: readonly NamedSeries[]): Generator<void, Worth | null> {
    const series = members.map(([, of]) => of);
    return (yield* worthOf(series, rule, WORTH_SEED))?.worth ?? null;
  }
  const named = symbols.map(({ symbol }) => symbol);
  const { list, rows } = resultOf(worthRecord(named, closes, figuresOf));
  const only = rows.length === 1 && typeof rows[0]?.worth === 'object' ? rows[0].worth : null;
  const whole = list ?? only;
  const verdict = whole === null ? null : verdictOf(whole, way, list === null ? (named[0] ?? '') : acting.theList);
  const { columns } = acting;
  const line = (name: string, of: Worth | keyof typeof acting.gaps): [string, ...string[]] =>
    typeof of === 'string'
      ? [name, DASH, DASH, acting.gaps[of], '']
      : [
          name,
          count(of.alerts),
          wholeShare(of.out),
          ...[of.gain, of.cut].map((difference) => `${points(difference.value)} (${intervalText(difference)})`),
        ];
  return [
    `<h2>${text(acting.title)}</h2>`,
    ...(verdict === null
      ? [paragraph(acting.none)]
      : [
          paragraph(`${verdict.answer}. ${verdict.what}.`),
          figures(verdict.figures.map((figure) => ({ ...figure, full: null }))),
        ]),
    table(
      [columns.symbol, columns.alerts, columns.out, columns.gain, columns.cut],
      [...(list === null ? [] : [line(acting.list, list)]), ...rows.map((row) => line(row.symbol, row.worth))],
    ),
    ...acting.howLines.map(paragraph),
  ];
}

function resultOf<Value>(steps: Generator<void, Value>): Value {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** What to expect of an alert, of all symbols. */
function outcomesTables({ full, holdout }: NonNullable<ValidationRecord['details']['outcomes']>): string[] {
  const { outcomes, windows } = words;
  return [
    `<h2>${text(outcomes.heading)}</h2>`,
    table(
      [outcomes.figure, windows.holdout, windows.full],
      OUTCOME_LINES.map(({ name, of }) => [name, of(holdout), of(full)]),
    ),
    table(
      [outcomes.after, outcomes.inAlert, outcomes.otherwise],
      AFTER_LINES.map(({ name, of }) => [name, of(holdout.after_alert), of(holdout.otherwise)]),
    ),
    paragraph(outcomes.wider),
  ];
}

/** The record of alerts within the day. */
const liveSection = ({ symbols, pooled, notes }: LiveRecord): string[] => [
  `<h2>${text(words.kinds('live', null))}</h2>`,
  paragraph(words.belongsLive(symbols.length)),
  ...(pooled === null ? [] : [figures(liveFigures(pooled))]),
  ...symbolTable(symbols),
  ...(notes === '' ? [] : [paragraph(notes)]),
];

function symbolTable(symbols: ValidationRecord['symbols']): string[] {
  if (symbols.length === 0) return [paragraph(words.empty)];
  const { columns } = words;
  const heads = [
    columns.symbol,
    columns.events,
    columns.signals,
    columns.recall,
    '',
    columns.precision,
    '',
    columns.f1,
  ];
  const row = ({ symbol, full, holdout }: ValidationRecord['symbols'][number]): string =>
    [
      `<tr><th scope="row">${text(symbol)}</th>`,
      cell(`${holdout.events ?? '–'}`),
      cell(count(holdout.n_signals)),
      ...plotted(full, holdout, 'recall', ({ events }) => events),
      ...plotted(full, holdout, 'precision', ({ calls, n_signals }) =>
        calls === null ? n_signals : calls.right + calls.wrong,
      ),
      cell(power(holdout.f1)),
      '</tr>',
    ].join('');
  return [
    `<h2>${text(words.bySymbol(symbols.length))}</h2>`,
    `<p class="quiet">${text(`${words.legendHoldout(null)} ●, ${words.legendFull(null)} □. ${words.legendLine}.`)}</p>`,
    `<div class="wide"><table><thead><tr>${heads.map((head) => `<th scope="col">${text(head)}</th>`).join('')}</tr></thead><tbody>`,
    ...symbols.map(row),
    '</tbody></table></div>',
  ];
}

const cell = (content: string): string => `<td>${text(content)}</td>`;

/** A share of both windows with its intervals, drawn and written. */
function plotted(
  full: Metrics,
  holdout: Metrics,
  name: 'recall' | 'precision',
  casesOf: (metrics: Metrics) => number | null,
): string[] {
  const line = (metrics: Metrics, y: number, ink: string): string => {
    const cases = casesOf(metrics) ?? 0;
    const found = interval(metrics[name] * cases, cases);
    if (found === null) return '';
    const x = shareX(metrics[name]);
    const mark =
      metrics === full
        ? `<rect x="${at(x - 3)}" y="${y - 3}" width="6" height="6" fill="var(--ground)" stroke="${ink}"/>`
        : `<circle cx="${at(x)}" cy="${y}" r="3.5" fill="${ink}"/>`;
    return `<path d="M${at(shareX(found.low))} ${y}H${at(shareX(found.high))}" stroke="${ink}" stroke-width="1.5"/>${mark}`;
  };
  const isKnown = (casesOf(holdout) ?? 1) > 0;
  return [
    `<td><svg viewBox="0 0 150 22" role="presentation"><path d="M4 0V22M75 0V22M146 0V22" stroke="var(--line)"/>${line(full, 7, 'var(--quiet)')}${line(holdout, 16, 'var(--accent)')}</svg></td>`,
    cell(isKnown ? power(holdout[name]) : '–'),
  ];
}

type Days = 'high_risk' | 'reliability';

/** The reliability diagram, as the window draws it. */
function diagram(curve: ReliabilityCurve | null, days: Days, window: (typeof WINDOWS)[number]): string[] {
  const [first, top] = [curve?.bins[0], curve?.bins.at(-1)];
  if (curve === null || first === undefined || top === undefined) return [];
  const { bins, base_rate, calibration_error, interval: within } = curve;
  const { most, x, y, ticks, band, line } = reliabilityPlot(curve);
  const label = (tick: number): string => `${Math.round(tick * 100)} %`;
  const summary = words.chartSummary(
    bins.length,
    ...([first.said, first.happened, top.said, top.happened, base_rate, calibration_error].map(share) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ]),
  );
  return [
    `<figure><figcaption>${text(`${words.daysOf[days]}, ${words.windows[window]}`)}</figcaption>`,
    `<svg viewBox="0 0 ${DIAGRAM.width} ${DIAGRAM.height}" role="img" aria-label="${text(summary)}">`,
    ...ticks.map(
      (tick) =>
        `<path d="M${at(x(tick))} ${at(y(0))}V${at(y(most))}M${at(x(0))} ${at(y(tick))}H${at(x(most))}" stroke="var(--line)"/><text x="${at(x(tick))}" y="${DIAGRAM.height - 8}" text-anchor="middle">${label(tick)}</text><text x="${DIAGRAM.left - 7}" y="${at(y(tick) + 4)}" text-anchor="end">${label(tick)}</text>`,
    ),
    `<path d="M${at(x(0))} ${at(y(0))}L${at(x(most))} ${at(y(most))}" stroke="var(--quiet)" stroke-dasharray="4 3"/>`,
    `<path d="M${at(x(base_rate))} ${at(y(0))}V${at(y(most))}" stroke="var(--quiet)" stroke-dasharray="1.5 2.5"/>`,
    `<text x="${at(x(base_rate) + 5)}" y="${at(y(most) + 9)}">${text(words.base(share(base_rate), days))}</text>`,
    `<polygon points="${band}" fill="var(--wash)"/><polyline points="${line}" fill="none" stroke="var(--accent)" stroke-width="1.8"/>`,
    ...bins.map(
      ({ said, happened }) => `<circle cx="${at(x(said))}" cy="${at(y(happened))}" r="3.2" fill="var(--accent)"/>`,
    ),
    '</svg>',
    paragraph(words.error(fine(calibration_error), within && [fine(within.low), fine(within.high)])),
    paragraph(`${words.across} · ${words.up} · ${words.brier(power(curve.brier_skill))}`),
    '</figure>',
  ];
}

function baselineTable({ details: { baselines, pooled, uncertainty } }: ValidationRecord): string[] {
  const uncertain = uncertainty.holdout === null ? null : uncertaintyText(uncertainty.holdout);
  const rows = baselines.map(({ name, full, holdout }) => ({ name: words.baseline(name), full, holdout }));
  if (rows.length === 0) return [paragraph(words.noBaselines)];
  if (pooled !== null) rows.push({ name: words.thisModel, full: pooled.full.f1, holdout: pooled.holdout.f1 });
  rows.sort((a, b) => (b.holdout ?? 0) - (a.holdout ?? 0));
  const most = Math.max(...rows.map(({ holdout }) => holdout ?? 0), Number.MIN_VALUE);
  const bar = (value: number | null): string =>
    `<td><svg viewBox="0 0 150 22" role="presentation"><rect x="0" y="6" width="${at((150 * (value ?? 0)) / most)}" height="10" fill="var(--accent)"/></svg></td>`;
  return [
    `<h2>${text(words.against)}</h2><div class="wide"><table><caption>${text(words.againstSub)}</caption><tbody>`,
    ...rows.map(
      ({ name, full, holdout }) =>
        `<tr><th scope="row">${text(name)}</th>${bar(holdout)}${cell(figure(full))}${cell(figure(holdout))}</tr>`,
    ),
    '</tbody></table></div>',
    ...(uncertain === null ? [] : [paragraph(uncertain)]),
  ];
}

function facts({ model_version: model, details: { windows, data_hash, too_short, seen } }: ValidationRecord): string[] {
  const days = windows.flatMap(({ from, to }) => [from, to]).sort();
  const [first, last] = [days[0], days.at(-1)];
  const { fields } = words;
  const rows: [string, string][] = [
    [fields.model, model === null ? words.modelUnknown : words.model(model, isOwnModel(model))],
  ];
  if (first !== undefined && last !== undefined)
    rows.push([fields.prices, words.spanOf(dayAndYear(Date.parse(first)), dayAndYear(Date.parse(last)), data_hash)]);
  if (too_short.length > 0) rows.push([fields.short, too_short.join(', ')]);
  if (seen !== null) rows.push([fields.fit, words.seen(seen.length)]);
  return [
    `<h2>${text(words.provenance)}</h2><dl class="facts">`,
    ...rows.map(([name, value]) => `<dt>${text(name)}</dt><dd>${text(value)}</dd>`),
    '</dl>',
  ];
}
