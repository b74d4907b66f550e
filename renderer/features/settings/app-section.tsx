// Renderer, settings: the program that shows the windows: what it does at login and when they close, and its updates. What it cannot do it says.
import type { ShellFace, ShellWish, Switch } from '../../../shared/channels/shell.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp } from '../../store/store.ts';
import { moment } from '../../text/format.ts';
import { settingsWords } from '../../text/settings.ts';
import { Awaited } from '../../ui/awaited.tsx';
import { Line, Section } from './parts.tsx';

const words = settingsWords.app;

export function AppSection() {
  const shell = useApp((state) => state.wholes.shell);
  return (
    <Section heading={settingsWords.section.app} sub={words.sub}>
      {shell === null ? <Awaited what={words.awaiting} progress={null} /> : <Shell shell={shell} />}
    </Section>
  );
}

function Shell({ shell }: { shell: ShellFace }) {
  const { intents, clock } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const save = (wish: ShellWish): void => intents.tell('shell.save', wish);
  const { update, look_for_updates: looks } = shell;
  return (
    <>
      <Line name={words.kindName}>
        <span>{words.kind[shell.kind]}</span>
      </Line>
      <Choice name={words.login} value={shell.start_at_login} onChange={(on) => save({ start_at_login: on })} />
      <Choice name={words.tray} value={shell.close_to_tray} onChange={(on) => save({ close_to_tray: on })} />
      <Choice name={words.updates} value={looks} onChange={(on) => save({ look_for_updates: on })} />
      {looks.can && (
        <Line
          name={words.update}
          why={update.looked_at === null ? undefined : moment(Date.parse(update.looked_at), zone, clock.now())}
        >
          <p>
            {words.standing[update.standing]} {update.version} {update.words}
          </p>
          <div className="form-row">
            <button type="button" className="btn" onClick={() => intents.tell('shell.update', { act: 'look' })}>
              {words.look}
            </button>
            {update.standing === 'ready' && (
              <button
                type="button"
                className="btn primary"
                onClick={() => intents.tell('shell.update', { act: 'install' })}
              >
                {words.install}
              </button>
            )}
            {update.link !== null && (
              <a href={update.link} target="_blank" rel="noreferrer">
                {words.link}
              </a>
            )}
          </div>
        </Line>
      )}
      {shell.troubles.length > 0 && (
        <Line name={words.troubles}>
          <ul className="settings-list">
            {shell.troubles.map(({ at, words: what }) => (
              <li key={`${at} ${what}`}>
                <span className="t3 cond">{moment(Date.parse(at), zone, clock.now())}</span> {what}
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
        {!value.can && <p className="t3">{value.why}</p>}
      </div>
    </div>
  );
}
