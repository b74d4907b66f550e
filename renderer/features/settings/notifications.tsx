// Renderer, settings: whether this computer shows notifications, and a test of it.
import { goTo } from '../../store/route.ts';
import { useSnapshot } from '../../store/store.ts';
import { settingsText } from '../../text/settings.ts';
import { IndicatorLine } from '../../ui/description-list.tsx';
import { Line, Section } from './section.tsx';

const messages = settingsText.notifications;

export function Notifications() {
  const notifier = useSnapshot((snapshot) => snapshot.notifier);
  const isSandbox = useSnapshot((snapshot) => snapshot.profile.environment === 'sandbox');
  const works = notifier.tier === 'system';
  return (
    <Section heading={settingsText.section.notifications} sub={messages.sub}>
      <p className={works ? undefined : 'settings-warning'}>
        <IndicatorLine state={works ? 'ok' : 'down'}>{works ? messages.works : messages.missing}</IndicatorLine>
      </p>
      {notifier.detail !== '' && (
        <Line name={messages.self}>
          <span>{notifier.detail}</span>
        </Line>
      )}
      <Line name={messages.selfTest} why={messages.selfTestWhy}>
        <button type="button" className="btn" onClick={() => goTo({ page: 'connection', item: null })}>
          {messages.selfTest}
        </button>
      </Line>
      {isSandbox && <p className="t3">{messages.sandbox}</p>}
    </Section>
  );
}
