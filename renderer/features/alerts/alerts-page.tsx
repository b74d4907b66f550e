// Renderer: the page Alerts: the inbox, what is muted now, and the rules.
import { useEffect } from 'react';
import { usePlace } from '../../store/place.ts';
import { useBlind } from '../../store/sight.ts';
import { useApp } from '../../store/store.ts';
import { alerts as words } from '../../text/alerts.ts';
import { ruleWords } from '../../text/rules.ts';
import { Awaited } from '../../ui/awaited.tsx';
import { Segment } from '../../ui/segment.tsx';
import './alerts-page.css';
import './alert-forms.css';
import { ExportLines } from './export-lines.tsx';
import { InboxView } from './inbox-view.tsx';
import { MutedView } from './muted-view.tsx';
import { RulesView } from './rules-view.tsx';
import { useInbox } from './use-inbox.ts';
import { hasOlder, useInboxReading, useLines } from './use-lines.ts';
import { SECTIONS, useView, view } from './view-store.ts';

export function AlertsPage() {
  const alerting = useApp((state) => state.wholes.alerting);
  const blind = useBlind();
  const item = usePlace((place) => place.item);
  const visit = usePlace((place) => place.visit);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second asking for the same alert is one too.
  useEffect(() => {
    if (item !== null) view.show('inbox');
  }, [item, visit]);
  const section = useView((state) => state.section);
  const mode = useView((state) => state.mode);
  const days = useView(({ filters }) => filters.days);
  const most = useView((state) => state.most);
  const reading = useInboxReading();
  const lines = useLines(reading?.value ?? null);
  const notWorking =
    alerting?.rules.filter(({ rule, problem }) => problem !== null || rule?.enabled === false).length ?? 0;
  const needs = useInbox().needsYou.length;
  const counts = { inbox: null, muted: alerting?.mutes.length ?? 0, rules: alerting?.rules.length ?? 0 };
  return (
    <main className={blind ? 'alerts-page unseen' : 'alerts-page'}>
      <div className="head al-head">
        <h1>{words.title}</h1>
        <Segment
          label={words.section}
          value={section}
          options={SECTIONS.map((value) => ({
            value,
            label:
              counts[value] === null || counts[value] === 0
                ? words.sections[value]
                : `${words.sections[value]} ${counts[value]}`,
          }))}
          onChange={view.show}
        />
        {needs > 0 && section !== 'inbox' && (
          <button type="button" className="btn al-hot" onClick={() => view.show('inbox')}>
            {words.badge(needs)}
          </button>
        )}
        {notWorking > 0 && section !== 'rules' && (
          <span className="al-problem cond">{ruleWords.notWorking(notWorking)}</span>
        )}
        {section === 'inbox' && (
          <>
            <span className="sub ell" role="status">
              {words.counted(lines.shown.length, lines.all.length, mode)} · {words.filters.days(days).toLowerCase()}
              {reading?.value != null && hasOlder(reading.value, most) && words.notOlder}
            </span>
            <span className="right row">
              <Segment
                label={words.mode}
                value={mode}
                options={(['episodes', 'transitions'] as const).map((value) => ({ value, label: words.modes[value] }))}
                onChange={view.setMode}
              />
              <ExportLines lines={lines.shown} label={words.exportName} />
            </span>
          </>
        )}
      </div>
      {section === 'inbox' && <InboxView lines={lines} reading={reading} />}
      {section !== 'inbox' && alerting === null && <Awaited what={ruleWords.awaited} progress={null} />}
      {section === 'muted' && alerting !== null && <MutedView alerting={alerting} />}
      {section === 'rules' && alerting !== null && <RulesView alerting={alerting} />}
    </main>
  );
}
