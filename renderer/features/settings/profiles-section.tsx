// Renderer, settings: every profile of this computer side by side: where its signals come from, how it stands, and what can be done with it.
import type { ProfileEntry } from '../../../shared/channels/profiles.ts';
import { useServices } from '../../services.ts';
import { count, dayAndYear } from '../../text/format.ts';
import { profileWords } from '../../text/profiles.ts';
import { settingsWords } from '../../text/settings.ts';
import { Awaited } from '../../ui/awaited.tsx';
import { EnvironmentMark } from '../../ui/environment-mark.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { sendFor, useOpenProfile, useProfiles } from '../profiles/index.ts';
import { Section } from './parts.tsx';

const words = settingsWords.profiles;

export function ProfilesSection() {
  const profiles = useProfiles();
  if (profiles === null) return <Awaited what={words.awaiting} progress={null} />;
  return (
    <Section heading={settingsWords.section.profiles} sub={words.sub}>
      <div className="form-row">
        <button
          type="button"
          className="btn primary"
          onClick={(event) => sendFor({ kind: 'key', environment: 'production' }, event.currentTarget)}
        >
          {words.addKey}
        </button>
        <button type="button" className="btn" onClick={(event) => sendFor({ kind: 'prices' }, event.currentTarget)}>
          {words.addPrices}
        </button>
      </div>
      <table className="table profiles-table" aria-label={words.table}>
        <thead>
          <tr>
            <th scope="col">{words.name}</th>
            <th scope="col">{words.source}</th>
            <th scope="col">{words.state}</th>
            <th scope="col">
              <span className="spoken">{words.acts}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {profiles.profiles.map((one) => (
            <Row key={one.name} profile={one} isShown={one.name === profiles.shown} />
          ))}
        </tbody>
      </table>
      <p className="t3">{words.own}</p>
    </Section>
  );
}

function Row({ profile, isShown }: { profile: ProfileEntry; isShown: boolean }) {
  const { name, environment, enabled, standing, replay, high } = profile;
  const { intents } = useServices();
  const open = useOpenProfile();
  return (
    <tr>
      <th scope="row">
        <span className="row">
          <EnvironmentMark environment={environment} />
          <span>
            <b>{name}</b>
            <br />
            <span className={environment === 'sandbox' ? 'env-word sandbox' : 'env-word'}>
              {profileWords.environment[environment]}
              {replay && ` ${profileWords.replay}`}
            </span>
          </span>
        </span>
      </th>
      <td className="wraps">
        <Source profile={profile} />
      </td>
      <td className="wraps">
        <span className={standing === 'blind' || standing === 'failed' ? 'md hi' : 'md'}>
          {isShown ? `${profileWords.standing[standing]}, ${profileWords.thisWindow}` : profileWords.standing[standing]}
        </span>
        {high > 0 && (
          <>
            {' '}
            <span className="menu-high">
              <Glyph name={2} size={12} /> {profileWords.high(high)}
            </span>
          </>
        )}
        {profile.words !== '' && <p className="t2">{profile.words}</p>}
      </td>
      <td className="num">
        {!isShown && (
          <span className="row acts">
            {(standing === 'sees' || standing === 'blind') && (
              <button type="button" className="btn line" aria-label={words.openName(name)} onClick={() => open(name)}>
                {words.open}
              </button>
            )}
            <button
              type="button"
              className="btn line"
              aria-label={enabled ? words.offName(name) : words.onName(name)}
              onClick={() => intents.tell('profiles.enable', { name, enabled: !enabled })}
            >
              {enabled ? words.off : words.on}
            </button>
            <button
              type="button"
              className="btn line"
              aria-label={words.removeName(name)}
              onClick={(event) => sendFor({ kind: 'remove', name }, event.currentTarget)}
            >
              {words.remove}
            </button>
          </span>
        )}
      </td>
    </tr>
  );
}

function Source({ profile: { source } }: { profile: ProfileEntry }) {
  switch (source.kind) {
    case 'simulated':
      return <>{profileWords.source.simulated}</>;
    case 'remote':
      return (
        <>
          {profileWords.source.remote(URL.parse(source.url)?.host ?? source.url)}
          <p className="t3">{profileWords.key.modes[source.mode]}</p>
        </>
      );
    case 'prices':
      return (
        <>
          {profileWords.source.prices(source.folder)}
          {source.editorial !== null && <p className="t3">{words.editorial(source.editorial)}</p>}
          {source.replay !== null && (
            <p className="t3">{words.replay(dayAndYear(Date.parse(source.replay.from)), count(source.replay.speed))}</p>
          )}
        </>
      );
  }
}
