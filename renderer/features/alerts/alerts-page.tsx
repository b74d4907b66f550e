// Renderer: the page Alerts: the inbox, what is muted now, and the rules.
import { useEffect } from 'react';
import { useIsOffline } from '../../store/connection-status.ts';
import { useRoute } from '../../store/route.ts';
import { useApp } from '../../store/store.ts';
import { alerts as messages } from '../../text/alerts.ts';
import { ruleText } from '../../text/rules.ts';
import { LoadingNotice } from '../../ui/loading-notice.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import './alerts-page.css';
import './alert-forms.css';
import { ExportLines } from './export-lines.tsx';
import { InboxView } from './inbox-view.tsx';
import { MutedView } from './muted-view.tsx';
import { RulesView } from './rules-view.tsx';
import { useInbox } from './use-inbox.ts';
import { hasOlder, useInboxQuery, useLines } from './use-lines.ts';
import { SECTIONS, useView, view } from './view-store.ts';

export function AlertsPage() {
  const alerting = useApp((state) => state.features.alerting);
  const isOffline = useIsOffline();
  const item = useRoute((route) => route.item);
  const visit = useRoute((route) => route.visit);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second asking for the same alert is one too.
  useEffect(() => {
    if (item !== null) view.show('inbox');
  }, [item, visit]);
  const section = useView((state) => state.section);
  const mode = useView((state) => state.mode);
  const days = useView(({ filters }) => filters.days);
  const most = useView((state) => state.most);
  const result = useInboxQuery();
  const lines = useLines(result?.value ?? null);
  const notWorking =
    alerting?.rules.filter(({ rule, problem }) => problem !== null || rule?.enabled === false).length ?? 0;
  const needs = useInbox().needsYou.length;
  const counts = { inbox: null, muted: alerting?.mutes.length ?? 0, rules: alerting?.rules.length ?? 0 };
  return (
    <main className={isOffline ? 'alerts-page offline' : 'alerts-page'}>
      <div className="head al-head">
        <h1>{messages.title}</h1>
        <SegmentedControl
          label={messages.section}
          value={section}
          options={SECTIONS.map((value) => ({
            value,
            label:
              counts[value] === null || counts[value] === 0
                ? messages.sections[value]
                : `${messages.sections[value]} ${counts[value]}`,
          }))}
          onChange={view.show}
        />
        {needs > 0 && section !== 'inbox' && (
          <button type="button" className="btn al-hot" onClick={() => view.show('inbox')}>
            {messages.badge(needs)}
          </button>
        )}
        {notWorking > 0 && section !== 'rules' && (
          <span className="al-problem cond">{ruleText.notWorking(notWorking)}</span>
        )}
        {section === 'inbox' && (
          <>
            <span className="sub ell" role="status">
              {messages.counted(lines.shown.length, lines.all.length, mode)} ·{' '}
              {messages.filters.days(days).toLowerCase()}
              {result?.value != null && hasOlder(result.value, most) && messages.notOlder}
            </span>
            <span className="right row">
              <SegmentedControl
                label={messages.mode}
                value={mode}
                options={(['episodes', 'transitions'] as const).map((value) => ({
                  value,
                  label: messages.modes[value],
                }))}
                onChange={view.setMode}
              />
              <ExportLines lines={lines.shown} label={messages.exportName} />
            </span>
          </>
        )}
      </div>
      {section === 'inbox' && <InboxView lines={lines} result={result} />}
      {section !== 'inbox' && alerting === null && <LoadingNotice what={ruleText.loading} progress={null} />}
      {section === 'muted' && alerting !== null && <MutedView alerting={alerting} />}
      {section === 'rules' && alerting !== null && <RulesView alerting={alerting} />}
    </main>
  );
}
