// Renderer, settings: the page: sections on the left, the chosen one on the right.
// A route names its section.
import type { ComponentType } from 'react';
import { texts } from '../../../shared/text/texts.ts';
import { goTo, openAlertSection, useRoute } from '../../store/route.ts';
import { useApp } from '../../store/store.ts';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { ConnectionSection } from '../connection/index.ts';
import { ChannelsSection } from '../notification-channels/index.ts';
import { WebhooksSection } from '../webhooks/index.ts';
import { About } from './about.tsx';
import { AppSection } from './app-section.tsx';
import { ArchiveSection } from './archive-section.tsx';
import { DeskSection } from './desk-section.tsx';
import { General } from './general.tsx';
import { GroupingSection } from './grouping-section.tsx';
import { KeysSection } from './keys-section.tsx';
import { Notifications } from './notifications.tsx';
import { OutageAlarmSection } from './outage-alarm-section.tsx';
import { ProfilesSection } from './profiles-section.tsx';
import { Section } from './section.tsx';
import './settings.css';

const messages = texts.settings.alerts;

/** A link to the alert rules, with the number of enabled ones. */
function AlertsSection() {
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

const NotificationChannels = () => (
  <Section heading={texts.settings.section.channels} sub={texts.notificationChannels.sub}>
    <ChannelsSection />
  </Section>
);

type SectionId = keyof typeof texts.settings.section;
const SECTIONS: readonly { readonly id: SectionId; readonly Body: ComponentType }[] = [
  { id: 'general', Body: General },
  { id: 'alerts', Body: AlertsSection },
  { id: 'channels', Body: NotificationChannels },
  { id: 'desk', Body: DeskSection },
  { id: 'profiles', Body: ProfilesSection },
  { id: 'keys', Body: KeysSection },
  { id: 'connection', Body: ConnectionSection },
  { id: 'webhooks', Body: WebhooksSection },
  { id: 'archive', Body: ArchiveSection },
  { id: 'grouping', Body: GroupingSection },
  { id: 'outage', Body: OutageAlarmSection },
  { id: 'notifications', Body: Notifications },
  { id: 'app', Body: AppSection },
  { id: 'about', Body: About },
];

export function SettingsPage() {
  const requested = useRoute((route) => route.item);
  const { id, Body } = SECTIONS.find((section) => section.id === requested) ?? {
    id: 'general' as const,
    Body: General,
  };
  return (
    <main className="settings">
      <nav className="panel settings-nav" aria-label={texts.settings.sections}>
        <h1>{texts.settings.heading}</h1>
        {SECTIONS.map((section) => (
          <button
            type="button"
            key={section.id}
            aria-current={section.id === id ? 'true' : undefined}
            onClick={() => goTo({ page: 'settings', item: section.id })}
          >
            {texts.settings.section[section.id]}
          </button>
        ))}
      </nav>
      <ScrollRegion className="panel settings-body" label={texts.settings.section[id]}>
        <Body />
      </ScrollRegion>
    </main>
  );
}
