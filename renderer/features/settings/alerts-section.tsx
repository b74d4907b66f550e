// Renderer, settings: where the rules of alerts are, and how many of them are on.
import { useApp } from '../../store/store.ts';
import { settingsWords } from '../../text/settings.ts';
import { openRules } from '../alerts/index.ts';
import { Section } from './parts.tsx';

const words = settingsWords.alerts;

export function AlertsSection() {
  const alerting = useApp((state) => state.wholes.alerting);
  const on = alerting?.rules.filter(({ rule }) => rule?.enabled === true).length ?? 0;
  return (
    <Section heading={settingsWords.section.alerts} sub={words.sub}>
      {alerting !== null && <p>{words.rules(on, alerting.rules.length)}</p>}
      {alerting?.silent === true && <p className="settings-warning">{words.silent}</p>}
      <p>
        <button type="button" className="btn" onClick={openRules}>
          {words.open}
        </button>
      </p>
    </Section>
  );
}
