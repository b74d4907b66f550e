// Renderer, validation: the page: how often the signals were right, by symbol and together, against what, and whether the confidence means what it says.
import { useState } from 'react';
import type { ValidationRecord } from '../../../shared/channels/readings.ts';
import { useServices } from '../../services.ts';
import { useHoldOutReading } from '../../store/hold-out.ts';
import { usePreference } from '../../store/preferences.ts';
import { useBlindSince, useWorldNow } from '../../store/sight.ts';
import { useApp, useBoard } from '../../store/store.ts';
import { moment, wholeMoment } from '../../text/format.ts';
import { validationWords as words } from '../../text/validation.ts';
import { Awaited, Failed } from '../../ui/awaited.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { KeptNote } from '../../ui/kept-note.tsx';
import { csvBlob, jsonBlob, saveFile } from '../../ui/save-file.ts';
import { Calibration } from './calibration.tsx';
import { KeyFigures } from './key-figures.tsx';
import { Provenance } from './provenance.tsx';
import { Rivals } from './rivals.tsx';
import { recordCsv } from './score.ts';
import { ScoreTable } from './score-table.tsx';
import './validation.css';

export function ValidationPage() {
  const model = useLiveModel();
  useHoldOutReading(model);
  const { readings } = useServices();
  const slot = useApp((state) => state.shelves.validation['']);
  const [stopped, setStopped] = useState(false);
  const record = slot?.value ?? null;
  const readAgain = (): void => {
    setStopped(false);
    readings.validation();
  };
  return (
    <main className="validation">
      <section className="panel" aria-label={words.heading}>
        <Head record={record} />
        {record === null ? (
          stopped || slot?.status === 'failed' ? (
            <Failed what={words.failed} why={stopped ? words.stopped : (slot?.problem ?? null)} onRetry={readAgain} />
          ) : (
            <Awaited what={words.awaiting} progress={null} onStop={() => setStopped(true)} />
          )
        ) : (
          <>
            <Notices record={record} model={model} />
            {record.details.pooled !== null && (
              <KeyFigures pooled={record.details.pooled} rivals={record.details.rivals} />
            )}
            {record.symbols.length === 0 ? <p className="empty">{words.empty}</p> : <ScoreTable record={record} />}
          </>
        )}
      </section>
      {record !== null && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        <section className="panel validation-side" tabIndex={0} aria-label={words.side}>
          <Calibration curves={record.details.reliability} />
          <Rivals details={record.details} />
          <Provenance record={record} />
          <p className="validation-foot">{words.foot}</p>
        </section>
      )}
    </main>
  );
}

/** The model that the signals of this window come from; null while none is known. */
const useLiveModel = (): string | null =>
  useBoard((board) => Object.values(board.rows).find((row) => row.signal !== null)?.signal?.model_version ?? null);

function Head({ record }: { record: ValidationRecord | null }) {
  const zone = usePreference((preference) => preference.zone);
  const at = record === null ? null : Date.parse(record.computed_at);
  const save = (kind: 'csv' | 'json'): void => {
    if (record === null) return;
    const name = `validation-${record.computed_at.slice(0, 10)}`;
    if (kind === 'csv') saveFile(`${name}.csv`, csvBlob(recordCsv(record)));
    else saveFile(`${name}.json`, jsonBlob(record));
  };
  return (
    <header className="head page-head">
      <h1>{words.heading}</h1>
      <span className="sub ell">
        {words.question} {at !== null && words.computed(wholeMoment(at, zone))}
      </span>
      {record !== null && (
        <span className="right">
          <KeptNote at={record.kept_at} />
          <ExportMenu label={words.exportName} onCsv={() => save('csv')} onJson={() => save('json')} />
        </span>
      )}
    </header>
  );
}

/** What keeps the record from being read together with what is live. */
function Notices({ record, model }: { record: ValidationRecord; model: string | null }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const blind = useBlindSince();
  const other = record.model_version !== null && model !== null && record.model_version !== model;
  return (
    <>
      {blind !== null && <p className="validation-notice">{words.asOf(moment(blind.world, zone, now))}</p>}
      {other && <p className="validation-notice">{words.otherModel(model, record.model_version ?? '')}</p>}
    </>
  );
}
