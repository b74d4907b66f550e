// Renderer, connection: the page: connection, outages, gaps, self-test, quota and keys.
import { useState } from 'react';
import type { ConnectionDetails } from '../../../shared/channels/connection.ts';
import { shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useServices } from '../../services.ts';
import { useOutageStart, useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp } from '../../store/store.ts';
import { Icon } from '../../ui/icon.tsx';
import { QueryNotice } from '../../ui/loading-notice.tsx';
import { copyText, TextDialog } from '../../ui/text-dialog.tsx';
import { Beats } from './beats.tsx';
import { OutageAlarmPanel } from './outage-alarm-panel.tsx';
import './connection.css';
import { Block } from '../../ui/panel-head.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { CompatibilityDetails } from './compatibility-details.tsx';
import { FeedsPanel } from './feeds-panel.tsx';
import { GapsTable } from './gaps-table.tsx';
import { HealthIndicators } from './health-indicators.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { LedgerPanel } from './ledger-panel.tsx';
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
        <ScrollRegion label={texts.connection.heading}>
          {down && <AsOf />}
          <HealthIndicators details={details} />
          {details === null && (
            <QueryNotice query={query} loading={texts.connection.loading} failed={texts.connection.failed} />
          )}
          {details !== null && (
            <>
              <Beats stream={details.stream} />
              <FeedsPanel />
              <Block heading={texts.connection.stream.heading} sub={texts.connection.stream.sub}>
                <StreamDetails details={details} />
              </Block>
              <Block heading={texts.connection.compatibility.heading} sub={texts.connection.compatibility.sub}>
                <CompatibilityDetails compatibility={details.compatibility} />
              </Block>
            </>
          )}
          <Block heading={texts.connection.gaps.heading} sub={texts.connection.gaps.sub}>
            <GapsTable />
          </Block>
        </ScrollRegion>
      </div>
      <div className="panel">
        <SelfTestPanel />
        <ScrollRegion label={texts.connection.sheet}>
          {details !== null && <QuotaPanel details={details} />}
          <KeysPanel />
          <OutageAlarmPanel details={details} />
          <LedgerPanel />
        </ScrollRegion>
      </div>
    </main>
  );
}

function Head({ details }: { details: ConnectionDetails | null }) {
  const { intents } = useServices();
  const write = useReport(details);
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
      <h1>{texts.connection.heading}</h1>
      <span className="sub grow ell">{texts.connection.question}</span>
      <button type="button" className="btn line" onClick={() => void copy()} onBlur={() => setCopied(false)}>
        <Icon name={copied ? 'check' : 'copy'} />
        {copied ? texts.connection.copied : texts.connection.copyReport}
      </button>
      <button type="button" className="btn line" onClick={() => setShown('problem')}>
        {texts.connection.problemReport}
      </button>
      <button type="button" className="btn line" onClick={intents.retry}>
        {texts.connection.reconnect}
      </button>
      {shown === 'report' && (
        <TextDialog
          heading={texts.connection.reportHeading}
          note={texts.connection.reportNote}
          text={text}
          file={texts.connection.reportFile}
          onClose={() => setShown(null)}
        />
      )}
      {shown === 'problem' && !problem.isFetching && (
        <TextDialog
          heading={texts.connection.problemReport}
          note={texts.connection.problemNote}
          text={problem.data?.text ?? problem.error?.message ?? ''}
          file={texts.connection.problemFile}
          onClose={() => setShown(null)}
        />
      )}
    </div>
  );
}

/** Shown while the core is gone: the time of the values below. */
function AsOf() {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const since = useOutageStart();
  return <p className="as-of">{texts.connection.asOf(since === null ? '' : shortTimestamp(since.world, zone, now))}</p>;
}
