// Renderer, settings: whether this computer shows notifications, in its own words, and the way to try it.
import { goTo } from '../../store/place.ts';
import { useBoard } from '../../store/store.ts';
import { settingsWords } from '../../text/settings.ts';
import { LampLine } from '../../ui/facts.tsx';
import { Line, Section } from './parts.tsx';

const words = settingsWords.notifications;

export function Notifications() {
  const notifier = useBoard((board) => board.notifier);
  const isSandbox = useBoard((board) => board.profile.environment === 'sandbox');
  const works = notifier.tier === 'system';
  return (
    <Section heading={settingsWords.section.notifications} sub={words.sub}>
      <p className={works ? undefined : 'settings-warning'}>
        <LampLine state={works ? 'lit' : 'out'}>{works ? words.works : words.missing}</LampLine>
      </p>
      {notifier.detail !== '' && (
        <Line name={words.self}>
          <span>{notifier.detail}</span>
        </Line>
      )}
      <Line name={words.drill} why={words.drillWhy}>
        <button type="button" className="btn" onClick={() => goTo({ page: 'connection', item: null })}>
          {words.drill}
        </button>
      </Line>
      {isSandbox && <p className="t3">{words.sandbox}</p>}
    </Section>
  );
}
