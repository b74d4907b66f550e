// Renderer, settings: the program: start at login, closing of windows, updates.
import type { ShellSettingsRequest, ShellView, Switch } from '../../../shared/channels/shell.ts';
import { shortTimestamp } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp } from '../../store/store.ts';
import { LoadingNotice } from '../../ui/loading-notice.tsx';
import { Line, Section } from './section.tsx';

const messages = texts.settings.app;

export function AppSection() {
  const shell = useApp((state) => state.features.shell);
  return (
    <Section heading={texts.settings.section.app} sub={messages.sub}>
      {shell === null ? <LoadingNotice what={messages.loading} progress={null} /> : <Shell shell={shell} />}
    </Section>
  );
}

function Shell({ shell }: { shell: ShellView }) {
  const { intents, clock } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const save = (change: ShellSettingsRequest): void => intents.send('shell.save', change);
  const { update, check_for_updates: updateChecks } = shell;
  return (
    <>
      <Line name={messages.kindName}>
        <span>{messages.kind[shell.kind]}</span>
        {shell.electron !== null && <p>{textOf(shell.electron)}</p>}
      </Line>
      <Choice name={messages.login} value={shell.start_at_login} onChange={(on) => save({ start_at_login: on })} />
      <Choice name={messages.tray} value={shell.close_to_tray} onChange={(on) => save({ close_to_tray: on })} />
      <Choice name={messages.updates} value={updateChecks} onChange={(on) => save({ check_for_updates: on })} />
      {updateChecks.can && (
        <Line
          name={messages.update}
          why={
            update.checked_at === null ? undefined : shortTimestamp(Date.parse(update.checked_at), zone, clock.now())
          }
        >
          <p>
            {messages.status[update.status]} {update.version} {update.message !== null && textOf(update.message)}
          </p>
          <div className="form-row">
            <button type="button" className="btn" onClick={() => intents.send('shell.update', { act: 'check' })}>
              {messages.check}
            </button>
            {update.status === 'ready' && (
              <button
                type="button"
                className="btn primary"
                onClick={() => intents.send('shell.update', { act: 'install' })}
              >
                {messages.install}
              </button>
            )}
            {update.link !== null && (
              <a href={update.link} target="_blank" rel="noreferrer">
                {texts.common.update.byHand}
              </a>
            )}
          </div>
        </Line>
      )}
      {shell.errors.length > 0 && (
        <Line name={messages.errors}>
          <ul className="settings-list">
            {shell.errors.map(({ at, message: what }) => (
              <li key={`${at} ${textOf(what)}`}>
                <span className="t3 cond">{shortTimestamp(Date.parse(at), zone, clock.now())}</span> {textOf(what)}
              </li>
            ))}
          </ul>
        </Line>
      )}
    </>
  );
}

function Choice({ name, value, onChange }: { name: string; value: Switch; onChange: (on: boolean) => void }) {
  return (
    <div className="settings-line">
      <span className="settings-name" />
      <div>
        <label className="form-check">
          <input
            type="checkbox"
            checked={value.can && value.on}
            disabled={!value.can}
            onChange={(event) => onChange(event.target.checked)}
          />
          <span className={value.can ? undefined : 't3'}>{name}</span>
        </label>
        {!value.can && <p className="t3">{textOf(value.why)}</p>}
      </div>
    </div>
  );
}
