// Renderer, validation: "Was it worth it?": the verdict on the list, its symbols, the chosen one, the user's alerts.
import { useMemo, useRef } from 'react';
import { MAX_WORTH_SYMBOLS, type WorthRecord } from '../../../shared/channels/worth.ts';
import { symbolsOf } from '../../../shared/domain/watchlists.ts';
import type { Way, Worth } from '../../../shared/domain/worth.ts';
import { texts } from '../../../shared/text/texts.ts';
import { verdictOf } from '../../../shared/text/worth-text.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useShownList } from '../../store/list-edits.ts';
import { usePreference } from '../../store/preferences.ts';
import { QueryNotice } from '../../ui/loading-notice.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { OwnAlerts } from './own-alerts.tsx';
import { recordView } from './record-view.ts';
import { WorthDetail } from './worth-detail.tsx';
import { WorthTable } from './worth-table.tsx';
import './worth.css';

const text = texts.worth;

export function WorthView() {
  const list = useShownList();
  const all = useMemo(() => (list === undefined ? [] : [...new Set(symbolsOf(list))]), [list]);
  const symbols = useMemo(() => all.slice(0, MAX_WORTH_SYMBOLS), [all]);
  const { way, cost } = usePreference((preference) => preference.worth);
  const query = useChannelQuery('worth.read', symbols.length === 0 ? null : { symbols, way, cost: cost / 100 });
  const record = useLatest(query.data, symbols);
  if (symbols.length === 0) return <p className="empty panel">{text.noList}</p>;
  if (record === null)
    return (
      <div className="panel">
        <QueryNotice query={query} loading={text.loading} failed={text.failed} />
      </div>
    );
  if (!record.isGiven)
    return (
      <ScrollRegion className="panel worth-detail" label={text.title}>
        <p className="empty worth-none">{text.notGiven}</p>
        <OwnAlerts symbols={symbols} />
      </ScrollRegion>
    );
  const isWaiting = query.data === undefined;
  return (
    <div className="worth" aria-busy={isWaiting}>
      <WorthPanels
        record={record}
        way={way}
        symbols={symbols}
        name={list?.name ?? text.list}
        isCut={all.length > symbols.length}
      />
    </div>
  );
}

/** Keeps the last record of these symbols while another question is computed. */
function useLatest(record: WorthRecord | undefined, symbols: readonly string[]): WorthRecord | null {
  const latest = useRef<{ readonly record: WorthRecord; readonly symbols: readonly string[] } | null>(null);
  if (record !== undefined) latest.current = { record, symbols };
  return latest.current?.symbols === symbols ? latest.current.record : null;
}

interface PanelsProps {
  readonly record: WorthRecord;
  readonly way: Way;
  readonly symbols: readonly string[];
  /** Of the list. */
  readonly name: string;
  readonly isCut: boolean;
}

function WorthPanels({ record, way, symbols, name, isCut }: PanelsProps) {
  const chosen = recordView.use(({ symbol }) => symbol);
  const known = record.rows.flatMap(({ symbol, worth }) => (typeof worth === 'string' ? [] : [{ symbol, worth }]));
  const first = known[0];
  const [what, whole] =
    record.list === null ? [first?.symbol ?? '', first?.worth ?? null] : [text.theList, record.list];
  const wanted = record.list === null && chosen === null ? (symbols[0] ?? null) : chosen;
  const shown = symbols.includes(wanted ?? '') ? wanted : record.list === null ? (symbols[0] ?? null) : null;
  const row = record.rows.find((each) => each.symbol === shown);
  return (
    <>
      {whole === null ? (
        <p className="worth-verdict empty">{way === 'hedge' ? text.noneHedged : text.none}</p>
      ) : (
        <Verdict worth={whole} way={way} what={what} />
      )}
      <WorthTable record={record} chosen={shown} isCut={isCut} />
      <WorthDetail
        key={shown}
        name={shown ?? name}
        symbols={shown === null ? known.map((each) => each.symbol) : [shown]}
        worth={shown === null ? record.list : (row?.worth ?? 'no_closes')}
        own={symbols}
      />
    </>
  );
}

function Verdict({ worth, way, what }: { readonly worth: Worth; readonly way: Way; readonly what: string }) {
  const verdict = verdictOf(worth, way, what);
  return (
    <section className="worth-verdict" aria-label={text.title}>
      <div>
        <p className="worth-answer">{verdict.answer}</p>
        <p className="t2">{verdict.what}</p>
      </div>
      {verdict.figures.map(({ value, name, note }) => (
        <div key={name}>
          <p>
            <b className="worth-answer">{value}</b> <span className="t2">{name}</span>
          </p>
          <p className="t2">{note}</p>
        </div>
      ))}
    </section>
  );
}
