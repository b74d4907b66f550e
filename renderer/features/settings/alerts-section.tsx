// Renderer, settings: a link to the alert rules, with the number of enabled ones.

import { texts } from '../../../shared/text/texts.ts';
import { openAlertSection } from '../../store/alert-routes.ts';
import { useApp } from '../../store/store.ts';
import { Section } from './section.tsx';

const messages = texts.settings.alerts;

export function AlertsSection() {
  const alerting = useApp((state) => state.features.alerting);
  const on = alerting?.rules.filter(({ rule }) => rule?.enabled === true).length ?? 0;
  return (
    <Section heading={texts.settings.section.alerts} sub={messages.sub}>
      {alerting !== null && <p>{messages.rules(on, alerting.rules.length)}</p>}
      {alerting?.silent === true && <p className="settings-warning">{messages.silent}</p>}
      <p>
        <button type="button" className="btn" onClick={() => openAlertSection('rules')}>
          {messages.open}
        </button>
      </p>
    </Section>
  );
}
