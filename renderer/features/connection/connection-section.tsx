// Renderer, connection: the section of the settings: connection, outages, gaps, self-test and quota.
import { useContext, useState } from 'react';
import type { Compatibility, ConnectionDetails } from '../../../shared/channels/connection.ts';
import { shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useNow, useServices } from '../../services.ts';
import { useOutageStart, useWorldNow } from '../../store/connection-status.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { goTo } from '../../store/route.ts';
import { StoreContext, useApp, useSnapshot } from '../../store/store.ts';
import { DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';
import { Icon } from '../../ui/icon.tsx';
import { QueryNotice } from '../../ui/loading-notice.tsx';
import { Block } from '../../ui/panel-head.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { copyText, TextDialog } from '../../ui/text-dialog.tsx';
import { Beats } from './beats.tsx';
import { FeedsPanel } from './feeds-panel.tsx';
import { GapsTable } from './gaps-table.tsx';
import { HealthIndicators } from './health-indicators.tsx';
import { LedgerPanel } from './ledger-panel.tsx';
import { compatibilityLines, streamLines } from './lines.ts';
import { PriceFolderPanel } from './price-folder-panel.tsx';
import { QuotaPanel } from './quota-panel.tsx';
import { connectionReport } from './report.ts';
import { SelfTestPanel } from './self-test-panel.tsx';
import './connection.css';

export function ConnectionSection() {
  const query = useChannelQuery('connection.read', {});
  const down = useApp((state) => state.link === 'down');
  const details = query.data ?? null;
  return (
    <div className={down ? 'connection is-past' : 'connection'}>
      <div className="panel">
        <Head details={details} />
        <ScrollRegion label={texts.connection.indicators}>
          {down && <AsOf />}
          <HealthIndicators details={details} />
          <PriceFolderPanel />
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
          <OutageAlarmPanel details={details} />
          <LedgerPanel />
        </ScrollRegion>
      </div>
    </div>
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
      <h2>{texts.connection.heading}</h2>
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

/** The stream as a description list. */
function StreamDetails({ details }: { details: ConnectionDetails }) {
  const zone = usePreference((preference) => preference.zone);
  const gaps = useSnapshot((snapshot) => snapshot.gaps);
  const clock = useSnapshot((snapshot) => snapshot.connection.clock);
  const provable = useSnapshot((snapshot) => snapshot.connection.provable);
  const now = useNow();
  const lines = streamLines({ details, gaps, clock, provable, zone, now });
  return (
    <DescriptionList>
      {lines.map(({ name, text, mono }) => (
        <DescriptionItem key={name} name={name}>
          <span className={mono ? 'mono' : 'lines'}>{text}</span>
        </DescriptionItem>
      ))}
      {!provable && <DescriptionItem name="">{texts.connection.stream.unproved}</DescriptionItem>}
    </DescriptionList>
  );
}

/** The model of the selected symbol's signal, else of any signal. */
const useModel = (): string | null =>
  useSnapshot((snapshot) => {
    const own = snapshot.selected === null ? undefined : snapshot.rows[snapshot.selected]?.signal?.model_version;
    return own ?? Object.values(snapshot.rows).find((row) => row.signal !== null)?.signal?.model_version ?? null;
  });

function CompatibilityDetails({ compatibility }: { compatibility: Compatibility }) {
  const form = useApp((state) => state.features.relay?.form ?? null);
  const model = useModel();
  return (
    <DescriptionList>
      {compatibilityLines(compatibility, form, model).map(({ name, text, mono, known }) => (
        <DescriptionItem key={name} name={name}>
          <span className={`${mono ? 'mono' : ''} ${known ? '' : 't3'}`}>{text}</span>
        </DescriptionItem>
      ))}
    </DescriptionList>
  );
}

/** The alarm of an outage: delay, channel, and the retries meanwhile. */
function OutageAlarmPanel({ details }: { details: ConnectionDetails | null }) {
  const outageAlarm = useApp((state) => state.features.alerting?.outage_alarm ?? null);
  const tier = useSnapshot((snapshot) => snapshot.notifier.tier);
  return (
    <Block heading={texts.connection.outageAlarm.heading}>
      <DescriptionList narrow>
        {outageAlarm !== null && (
          <DescriptionItem name={texts.connection.outageAlarm.after}>
            {texts.connection.outageAlarm.minutes(outageAlarm.market_minutes, outageAlarm.other_minutes)}{' '}
            <button type="button" className="link" onClick={() => goTo({ page: 'settings', item: 'outage' })}>
              {texts.connection.outageAlarm.change}
            </button>
          </DescriptionItem>
        )}
        <DescriptionItem name={texts.connection.outageAlarm.how}>
          {texts.connection.outageAlarm.howText(tier === 'system')}
        </DescriptionItem>
        {details !== null && (
          <DescriptionItem name={texts.connection.outageAlarm.meanwhile}>
            {texts.connection.outageAlarm.polls(Math.round(details.polling.events / 1000))}
          </DescriptionItem>
        )}
      </DescriptionList>
    </Block>
  );
}

/** @returns a function that writes the report of the current state */
function useReport(details: ConnectionDetails | null): () => string {
  const { clock } = useServices();
  const key = useChannelQuery('key.state', {}).data ?? null;
  const store = useContext(StoreContext);
  const model = useModel();
  return () => {
    const state = store?.getState();
    if (state?.snapshot == null) return '';
    return connectionReport({
      snapshot: state.snapshot,
      details,
      selfTest: state.features.selfTest,
      key,
      form: state.features.relay?.form ?? null,
      model,
      zone: preferences.read().zone,
      now: clock.now(),
    });
  };
}
