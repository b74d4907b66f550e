// Renderer, settings: whether this computer shows notifications, and a test of it.

import { DEFAULT_ZONE, zoneName } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { AllowButton, useBrowserPermission } from '../../notifications/allow-button.tsx';
import { goTo } from '../../store/route.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { IndicatorLine } from '../../ui/description-list.tsx';
import { Line, Section } from './section.tsx';

const messages = texts.settings.notifications;

export function Notifications() {
  const notifier = useSnapshot((snapshot) => snapshot.notifier);
  const isSandbox = useSnapshot((snapshot) => snapshot.profile.environment === 'sandbox');
  const zone = useApp(({ features }) => features.alerting && (features.alerting.zone ?? DEFAULT_ZONE));
  const permission = useBrowserPermission();
  const works = notifier.tier === 'system';
  return (
    <Section heading={texts.settings.section.notifications} sub={messages.sub}>
      <p className={works ? undefined : 'settings-warning'}>
        <IndicatorLine state={works ? 'ok' : 'down'}>{works ? messages.works : messages.missing}</IndicatorLine>
      </p>
      <Line name={messages.self}>
        <span>{textOf(notifier.detail)}</span>
      </Line>
      {permission !== null && (
        <Line name={messages.browser} why={messages.browserWhy}>
          {permission === 'default' ? (
            <AllowButton className="btn" />
          ) : (
            <span>{messages.browserStates[permission]}</span>
          )}
        </Line>
      )}
      {zone !== null && (
        <Line name={messages.times} why={messages.timesWhy}>
          <span>{zoneName(zone)}</span>
        </Line>
      )}
      <Line name={messages.selfTest} why={messages.selfTestWhy}>
        <button type="button" className="btn" onClick={() => goTo({ page: 'settings', item: 'connection' })}>
          {messages.selfTest}
        </button>
      </Line>
      {isSandbox && <p className="t3">{messages.sandbox}</p>}
    </Section>
  );
}
