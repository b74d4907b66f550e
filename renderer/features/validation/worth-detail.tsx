// Renderer, validation: one symbol, or the list: the question, money and fall over time, three results, own alerts.
import { useId, useState } from 'react';
import { MAX_WORTH_SYMBOLS } from '../../../shared/channels/worth.ts';
import { WAYS, type Way, type WORTH_GAPS, type Worth } from '../../../shared/domain/worth.ts';
import { amount, count, DASH } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import {
  fallText,
  intervalText,
  money,
  moneyRange,
  monthOf,
  percentOf,
  START,
  wholeShare,
} from '../../../shared/text/worth-text.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { QueryNotice } from '../../ui/loading-notice.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { OwnAlerts } from './own-alerts.tsx';
import { WorthChart } from './worth-chart.tsx';

const text = texts.worth;

interface WorthDetailProps {
  readonly name: string;
  readonly symbols: readonly string[];
  readonly worth: Worth | (typeof WORTH_GAPS)[number] | null;
  /** The symbols whose alerts are the user's own. */
  readonly own: readonly string[];
}

export function WorthDetail({ name, symbols, worth, own }: WorthDetailProps) {
  const { way, cost } = usePreference((preference) => preference.worth);
  const isKnown = worth !== null && typeof worth !== 'string';
  return (
    <ScrollRegion className="panel worth-detail" label={name}>
      <header className="head">
        <h2>{name}</h2>
        <span className="sub ell">{isKnown && text.range(monthOf(worth.from), monthOf(worth.to))}</span>
        <span className="right worth-question">
          <SegmentedControl
            label={text.way}
            options={WAYS.map((value) => ({ value, label: text.ways[value] }))}
            value={way}
            onChange={(value) => preferences.setWorth({ way: value })}
          />
          <CostField key={cost} cost={cost} />
        </span>
      </header>
      {isKnown ? (
        <>
          <Sentences worth={worth} />
          <CourseOf name={name} symbols={symbols} way={way} cost={cost} />
          <Results worth={worth} way={way} />
        </>
      ) : (
        <p className="empty">{worth === null ? text.none : `${name}: ${text.gaps[worth]}`}</p>
      )}
      <OwnAlerts symbols={own} />
      <details className="worth-how">
        <summary>{text.how}</summary>
        <ul>
          {[text.wayWhy[way], ...text.howLines].map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </details>
    </ScrollRegion>
  );
}

/** Counts when it is left, or with Enter; an unusable cost is said, and the last one stays. */
function CostField({ cost }: { readonly cost: number }) {
  const [typed, setTyped] = useState(amount(cost));
  const id = useId();
  const value = Number(typed.trim().replace(',', '.').replace(/\s*%$/, ''));
  const isWrong = typed.trim() === '' || !(value >= 0 && value <= 10);
  const take = (): void => {
    if (!isWrong) preferences.setWorth({ cost: value });
  };
  return (
    <label className="worth-cost">
      <span className="t3">{text.cost}</span>
      <input
        className="field"
        inputMode="decimal"
        value={typed}
        title={text.costWhy}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? id : undefined}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={take}
        onKeyDown={(event) => event.key === 'Enter' && take()}
      />
      <span className="t3" aria-hidden="true">
        %
      </span>
      {isWrong && (
        <span id={id} className="field-cure" role="alert">
          {text.costWrong}
        </span>
      )}
    </label>
  );
}

function Sentences({ worth: { from, to, holding, acting, gain, cut } }: { readonly worth: Worth }) {
  const [won, held, fall, instead] = text.money(
    START * (acting.money - holding.money),
    amount(Math.round((to - from) / 36.525) / 10),
    fallText(acting.fall),
    fallText(holding.fall),
  );
  return (
    <div className="worth-sentences">
      <p className="worth-sentence">
        <b>{won}</b>
        {held}
        <b>{fall}</b>
        {instead}
      </p>
      <p className="t2">
        {text.gainLine(100 * gain.value, intervalText(gain))}
        {cut.beats !== null && ` ${text.cutLine(Math.floor(100 * cut.beats), cut.value > 0)}`}
      </p>
    </div>
  );
}

interface CourseOfProps extends Pick<WorthDetailProps, 'name' | 'symbols'> {
  readonly way: Way;
  readonly cost: number;
}

function CourseOf({ name, symbols, way, cost }: CourseOfProps) {
  const query = useChannelQuery('worth.course', {
    symbols: symbols.slice(0, MAX_WORTH_SYMBOLS),
    way,
    cost: cost / 100,
  });
  const { course = null, out = [] } = query.data ?? {};
  return (
    <div className="worth-course">
      {course === null ? (
        <QueryNotice query={query} loading={text.loading} failed={text.failed} />
      ) : (
        <WorthChart name={name} course={course} out={out} />
      )}
    </div>
  );
}

interface ResultRow {
  readonly kind: 'holding' | 'acting' | 'random';
  readonly name: string;
  readonly cells: readonly string[];
}

function Results({ worth, way }: { readonly worth: Worth; readonly way: Way }) {
  const { holding, acting, random, out, turns, paid } = worth;
  const { results } = text;
  const rows: readonly ResultRow[] = [
    {
      kind: 'holding',
      name: results.holding,
      cells: [money(holding.money), percentOf(holding.yearly), fallText(holding.fall), wholeShare(0), '0', '0'],
    },
    {
      kind: 'acting',
      name: results.acting[way],
      cells: [
        money(acting.money),
        percentOf(acting.yearly),
        fallText(acting.fall),
        wholeShare(out),
        count(turns),
        money(paid),
      ],
    },
    {
      kind: 'random',
      name: results.random,
      cells:
        random === null
          ? Array.from({ length: 6 }, () => DASH)
          : [
              moneyRange(random.money),
              text.range(percentOf(random.yearly.low), percentOf(random.yearly.high)),
              text.range(fallText(random.fall.high), fallText(random.fall.low)),
              wholeShare(out),
              count(turns),
              results.same,
            ],
    },
  ];
  const heads = [results.became, results.yearly, results.fall, results.out, results.turns, results.paid];
  const columns: readonly Column<ResultRow>[] = [
    {
      name: results.way,
      isSpoken: true,
      isRowHead: true,
      cell: ({ kind, name }) => (
        <>
          <i className={`worth-key ${kind}`} aria-hidden="true" />
          {name}
        </>
      ),
    },
    ...heads.map((name, index): Column<ResultRow> => ({ name, className: 'num', cell: ({ cells }) => cells[index] })),
  ];
  return (
    <div className="worth-results">
      <Table caption={results.name} columns={columns} rows={rows} keyOf={({ kind }) => kind} />
    </div>
  );
}
