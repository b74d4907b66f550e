// Renderer: the page Alerts with its sections inbox, muted and rules.

import { useEffect } from 'react';
import { LOCAL_EVENTS } from '../../../shared/settings/core-events.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useIsOffline } from '../../store/connection-status.ts';
import {
  ALERT_SECTIONS as SECTIONS,
  showAlertSection as showSection,
  useRoute,
  useAlertSection as useSection,
} from '../../store/route.ts';
import { useApp, useSnapshot } from '../../store/store.ts';

import { LoadingNotice } from '../../ui/loading-notice.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { HistoryHead, HistoryView, useHistory } from '../alert-history/index.ts';
import { RulesView } from '../alert-rules/index.ts';
import { useAlertBadge, useInbox, useWaitingLocal } from '../inbox/index.ts';
import { MutedView } from '../mutes/index.ts';
import { PriceAlertsView } from '../price-alerts/index.ts';
import { StateDaysView } from './state-days.tsx';
import './alerts-page.css';
import '../../theme/alert-forms.css';

/** The section that lists the requested alert; null: no alert is requested, or it is not known yet. */
function useItemSection(item: string | null): 'inbox' | 'prices' | null {
  const listing = useSnapshot(({ alerts, local_alerts }) => {
    const isItem = ({ ledger_id }: { readonly ledger_id: number }): boolean => String(ledger_id) === item;
    return local_alerts.some(isItem) ? 'prices' : alerts.some(isItem) ? 'inbox' : null;
  });
  const isOlder = item !== null && listing === null;
  const { data, isError } = useChannelQuery('alerts.trace', isOlder ? { ledger_id: Number(item) } : null);
  if (item === null || listing !== null) return listing;
  if (data === undefined) return isError ? 'inbox' : null;
  return LOCAL_EVENTS.includes(data.event) ? 'prices' : 'inbox';
}

export function AlertsPage() {
  const alerting = useApp((state) => state.features.alerting);
  const isOffline = useIsOffline();
  const item = useRoute((route) => route.item);
  const visit = useRoute((route) => route.visit);
  const itemSection = useItemSection(item);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same alert may be requested again.
  useEffect(() => {
    if (itemSection !== null) showSection(itemSection);
  }, [item, itemSection, visit]);
  const section = useSection();
  const history = useHistory();
  const notWorking =
    alerting?.rules.filter(({ rule, problem }) => problem !== null || rule?.enabled === false).length ?? 0;
  const waiting = useWaitingLocal().length;
  const needs = useAlertBadge()?.count ?? 0;
  /** The section with the alerts that need attention. */
  const listing = useInbox().needsYou.length > 0 ? 'inbox' : 'prices';
  const counts = {
    inbox: 0,
    prices: waiting,
    days: 0,
    muted: alerting?.mutes.length ?? 0,
    rules: alerting?.rules.length ?? 0,
  };
  return (
    <main className={isOffline ? 'alerts-page offline' : 'alerts-page'}>
      <div className="head al-head">
        <h1>{texts.alerts.title}</h1>
        <SegmentedControl
          label={texts.alerts.section}
          value={section}
          options={SECTIONS.map((value) => ({
            value,
            label:
              counts[value] === 0 ? texts.alerts.sections[value] : `${texts.alerts.sections[value]} ${counts[value]}`,
          }))}
          onChange={showSection}
        />
        {needs > 0 && section !== listing && (
          <button type="button" className="btn al-hot" onClick={() => showSection(listing)}>
            {texts.alerts.badge(needs)}
          </button>
        )}
        {notWorking > 0 && section !== 'rules' && (
          <span className="al-problem cond">{texts.rules.notWorking(notWorking)}</span>
        )}
        {section === 'inbox' && <HistoryHead {...history} />}
      </div>
      {section === 'inbox' && <HistoryView {...history} />}
      {section === 'prices' && <PriceAlertsView />}
      {section === 'days' && <StateDaysView />}
      {(section === 'muted' || section === 'rules') && alerting === null && (
        <LoadingNotice what={texts.rules.loading} progress={null} />
      )}
      {section === 'muted' && alerting !== null && <MutedView alerting={alerting} />}
      {section === 'rules' && alerting !== null && <RulesView alerting={alerting} />}
    </main>
  );
}
