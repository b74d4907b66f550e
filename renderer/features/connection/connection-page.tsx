// Renderer, connection: the page: can Barograph see, how, since when not, and what it costs.
import { type ReactNode, useRef, useState } from 'react';
import type { ConnectionDetails } from '../../../shared/channels/connection.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useBlindSince, useWorldNow } from '../../store/sight.ts';
import { useApp } from '../../store/store.ts';
import { connectionWords as words } from '../../text/connection.ts';
import { moment } from '../../text/format.ts';
import { Awaited, Failed } from '../../ui/awaited.tsx';
import { Icon } from '../../ui/icon.tsx';
import { copyText, TextDialog } from '../../ui/text-dialog.tsx';
import { Beats } from './beats.tsx';
import { BlindPanel } from './blind-panel.tsx';
import './connection.css';
import { DialectFacts } from './dialect-facts.tsx';
import { DrillPanel } from './drill-panel.tsx';
import { GapsTable } from './gaps-table.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { BigLamps } from './lamps.tsx';
import { QuotaPanel } from './quota-panel.tsx';
import { StreamFacts } from './stream-facts.tsx';
import { useDetails } from './use-details.ts';
import { useReport } from './use-report.ts';

export function ConnectionPage() {
  const { answers } = useServices();
  const slot = useDetails();
  const down = useApp((state) => state.link === 'down');
  const details = slot?.value ?? null;
  const failed = slot?.status === 'failed' && details === null;
  return (
    <main className={down ? 'connection is-past' : 'connection'}>
      <div className="panel">
        <Head details={details} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <section className="scroll" tabIndex={0} aria-label={words.heading}>
          {down && <AsOf />}
          <BigLamps details={details} />
          {failed && (
            <Failed what={words.failed} why={slot.problem} onRetry={() => answers.read('connection.read', {})} />
          )}
          {details === null && !failed && <Awaited what={words.awaiting} progress={null} />}
          {details !== null && (
            <>
              <Beats stream={details.stream} />
              <Block heading={words.stream.heading} sub={words.stream.sub}>
                <StreamFacts details={details} />
              </Block>
              <Block heading={words.dialect.heading} sub={words.dialect.sub}>
                <DialectFacts dialect={details.dialect} />
              </Block>
            </>
          )}
          <Block heading={words.gaps.heading} sub={words.gaps.sub}>
            <GapsTable />
          </Block>
        </section>
      </div>
      <div className="panel">
        <DrillPanel />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <section className="scroll" tabIndex={0} aria-label={words.sheet}>
          {details !== null && <QuotaPanel details={details} />}
          <KeysPanel />
          <BlindPanel details={details} />
        </section>
      </div>
    </main>
  );
}

function Head({ details }: { details: ConnectionDetails | null }) {
  const { intents, answers } = useServices();
  const write = useReport(details);
  const copyButton = useRef<HTMLButtonElement>(null);
  const problemButton = useRef<HTMLButtonElement>(null);
  const [copied, setCopied] = useState(false);
  const [text, setText] = useState('');
  const [shown, setShown] = useState<'report' | 'problem' | null>(null);
  const problem = useApp((state) => state.shelves.answers['report.read {}']);
  const copy = async (): Promise<void> => {
    const written = write();
    setText(written);
    const done = await copyText(written);
    setCopied(done);
    if (!done) setShown('report');
  };
  return (
    <div className="head page-head">
      <h1>{words.heading}</h1>
      <span className="sub grow ell">{words.question}</span>
      <button
        ref={copyButton}
        type="button"
        className="btn line"
        onClick={() => void copy()}
        onBlur={() => setCopied(false)}
      >
        <Icon name={copied ? 'check' : 'copy'} />
        {copied ? words.copied : words.copyReport}
      </button>
      <button
        ref={problemButton}
        type="button"
        className="btn line"
        onClick={() => {
          answers.read('report.read', {});
          setShown('problem');
        }}
      >
        {words.problemReport}
      </button>
      <button type="button" className="btn line" onClick={intents.retry}>
        {words.reconnect}
      </button>
      {shown === 'report' && (
        <TextDialog
          heading={words.reportHeading}
          note={words.reportNote}
          text={text}
          file={words.reportFile}
          returnTo={copyButton}
          onClose={() => setShown(null)}
        />
      )}
      {shown === 'problem' && problem?.status !== 'reading' && (
        <TextDialog
          heading={words.problemReport}
          note={words.problemNote}
          text={(problem?.value as { text: string } | null | undefined)?.text ?? problem?.problem ?? ''}
          file={words.problemFile}
          returnTo={problemButton}
          onClose={() => setShown(null)}
        />
      )}
    </div>
  );
}

/** The core is gone: what stands below was read from it before. */
function AsOf() {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const since = useBlindSince();
  return <p className="as-of">{words.asOf(since === null ? '' : moment(since.world, zone, now))}</p>;
}

function Block({ heading, sub, children }: { heading: string; sub: string; children: ReactNode }) {
  return (
    <section aria-label={heading}>
      <div className="head block-head">
        <h2>{heading}</h2>
        <span className="sub ell">{sub}</span>
      </div>
      {children}
    </section>
  );
}
