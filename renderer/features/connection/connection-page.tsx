// Renderer, connection: the page: connection, outages, gaps, self-test, quota and keys.
import { type ReactNode, useRef, useState } from 'react';
import type { ConnectionDetails } from '../../../shared/channels/connection.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useServices } from '../../services.ts';
import { useOutageStart, useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp } from '../../store/store.ts';
import { connectionText as messages } from '../../text/connection.ts';
import { shortTimestamp } from '../../text/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loading-notice.tsx';
import { copyText, TextDialog } from '../../ui/text-dialog.tsx';
import { Beats } from './beats.tsx';
import { OutageAlarmPanel } from './outage-alarm-panel.tsx';
import './connection.css';
import { CompatibilityDetails } from './compatibility-details.tsx';
import { GapsTable } from './gaps-table.tsx';
import { HealthIndicators } from './health-indicators.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { QuotaPanel } from './quota-panel.tsx';
import { SelfTestPanel } from './self-test-panel.tsx';
import { StreamDetails } from './stream-details.tsx';
import { useReport } from './use-report.ts';

export function ConnectionPage() {
  const query = useChannelQuery('connection.read', {});
  const down = useApp((state) => state.link === 'down');
  const details = query.data ?? null;
  return (
    <main className={down ? 'connection is-past' : 'connection'}>
      <div className="panel">
        <Head details={details} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <section className="scroll" tabIndex={0} aria-label={messages.heading}>
          {down && <AsOf />}
          <HealthIndicators details={details} />
          {query.isLoadingError && (
            <ErrorNotice what={messages.failed} why={query.error.message} onRetry={() => void query.refetch()} />
          )}
          {details === null && !query.isError && <LoadingNotice what={messages.loading} progress={null} />}
          {details !== null && (
            <>
              <Beats stream={details.stream} />
              <Block heading={messages.stream.heading} sub={messages.stream.sub}>
                <StreamDetails details={details} />
              </Block>
              <Block heading={messages.compatibility.heading} sub={messages.compatibility.sub}>
                <CompatibilityDetails compatibility={details.compatibility} />
              </Block>
            </>
          )}
          <Block heading={messages.gaps.heading} sub={messages.gaps.sub}>
            <GapsTable />
          </Block>
        </section>
      </div>
      <div className="panel">
        <SelfTestPanel />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <section className="scroll" tabIndex={0} aria-label={messages.sheet}>
          {details !== null && <QuotaPanel details={details} />}
          <KeysPanel />
          <OutageAlarmPanel details={details} />
        </section>
      </div>
    </main>
  );
}

function Head({ details }: { details: ConnectionDetails | null }) {
  const { intents } = useServices();
  const write = useReport(details);
  const copyButton = useRef<HTMLButtonElement>(null);
  const problemButton = useRef<HTMLButtonElement>(null);
  const [copied, setCopied] = useState(false);
  const [text, setText] = useState('');
  const [shown, setShown] = useState<'report' | 'problem' | null>(null);
  const problem = useChannelQuery('report.read', shown === 'problem' ? {} : null);
  const copy = async (): Promise<void> => {
    const written = write();
    setText(written);
    const done = await copyText(written);
    setCopied(done);
    if (!done) setShown('report');
  };
  return (
    <div className="head page-head">
      <h1>{messages.heading}</h1>
      <span className="sub grow ell">{messages.question}</span>
      <button
        ref={copyButton}
        type="button"
        className="btn line"
        onClick={() => void copy()}
        onBlur={() => setCopied(false)}
      >
        <Icon name={copied ? 'check' : 'copy'} />
        {copied ? messages.copied : messages.copyReport}
      </button>
      <button ref={problemButton} type="button" className="btn line" onClick={() => setShown('problem')}>
        {messages.problemReport}
      </button>
      <button type="button" className="btn line" onClick={intents.retry}>
        {messages.reconnect}
      </button>
      {shown === 'report' && (
        <TextDialog
          heading={messages.reportHeading}
          note={messages.reportNote}
          text={text}
          file={messages.reportFile}
          returnTo={copyButton}
          onClose={() => setShown(null)}
        />
      )}
      {shown === 'problem' && !problem.isFetching && (
        <TextDialog
          heading={messages.problemReport}
          note={messages.problemNote}
          text={problem.data?.text ?? problem.error?.message ?? ''}
          file={messages.problemFile}
          returnTo={problemButton}
          onClose={() => setShown(null)}
        />
      )}
    </div>
  );
}

/** The core is gone: the values below are from before. */
function AsOf() {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const since = useOutageStart();
  return <p className="as-of">{messages.asOf(since === null ? '' : shortTimestamp(since.world, zone, now))}</p>;
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
