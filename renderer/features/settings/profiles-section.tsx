// Renderer, settings: every profile of this computer: source of its signals, status and actions.
import type { ProfileEntry } from '../../../shared/channels/profiles.ts';
import { useServices } from '../../services.ts';
import { count, dayAndYear } from '../../text/format.ts';
import { profileText } from '../../text/profiles.ts';
import { settingsText } from '../../text/settings.ts';
import { EnvironmentIcon } from '../../ui/environment-icon.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { LoadingNotice } from '../../ui/loading-notice.tsx';
import { type TableColumn, TableHead } from '../../ui/table/table-head.tsx';
import { openDialog, useOpenProfile, useProfiles } from '../profiles/index.ts';
import { Section } from './section.tsx';

const messages = settingsText.profiles;

export function ProfilesSection() {
  const profiles = useProfiles();
  if (profiles === null) return <LoadingNotice what={messages.loading} progress={null} />;
  return (
    <Section heading={settingsText.section.profiles} sub={messages.sub}>
      <div className="form-row">
        <button
          type="button"
          className="btn primary"
          onClick={(event) => openDialog({ kind: 'key', environment: 'production' }, event.currentTarget)}
        >
          {messages.addKey}
        </button>
        <button type="button" className="btn" onClick={(event) => openDialog({ kind: 'prices' }, event.currentTarget)}>
          {messages.addPrices}
        </button>
      </div>
      <table className="table profiles-table" aria-label={messages.table}>
        <TableHead columns={COLUMNS} />
        <tbody>
          {profiles.profiles.map((one) => (
            <Row key={one.name} profile={one} isShown={one.name === profiles.shown} />
          ))}
        </tbody>
      </table>
      <p className="t3">{messages.own}</p>
    </Section>
  );
}

const COLUMNS: readonly TableColumn[] = [
  { name: messages.name },
  { name: messages.source },
  { name: messages.state },
  { name: messages.acts, isSpoken: true },
];

function Row({ profile, isShown }: { profile: ProfileEntry; isShown: boolean }) {
  const { name, environment, enabled, status, replay, high } = profile;
  const { intents } = useServices();
  const open = useOpenProfile();
  return (
    <tr>
      <th scope="row">
        <span className="row">
          <EnvironmentIcon environment={environment} />
          <span>
            <b>{name}</b>
            <br />
            <span className={environment === 'sandbox' ? 'env-word sandbox' : 'env-word'}>
              {profileText.environment[environment]}
              {replay && ` ${profileText.replay}`}
            </span>
          </span>
        </span>
      </th>
      <td className="wraps">
        <Source profile={profile} />
      </td>
      <td className="wraps">
        <span className={status === 'offline' || status === 'failed' ? 'md hi' : 'md'}>
          {isShown ? `${profileText.status[status]}, ${profileText.thisWindow}` : profileText.status[status]}
        </span>
        {high > 0 && (
          <>
            {' '}
            <span className="menu-high">
              <Glyph name={2} size={12} /> {profileText.high(high)}
            </span>
          </>
        )}
        {profile.message !== '' && <p className="t2">{profile.message}</p>}
      </td>
      <td className="num">
        {!isShown && (
          <span className="row acts">
            {(status === 'connected' || status === 'offline') && (
              <button
                type="button"
                className="btn line"
                aria-label={messages.openName(name)}
                onClick={() => open(name)}
              >
                {messages.open}
              </button>
            )}
            <button
              type="button"
              className="btn line"
              aria-label={enabled ? messages.offName(name) : messages.onName(name)}
              onClick={() => intents.send('profiles.enable', { name, enabled: !enabled })}
            >
              {enabled ? messages.off : messages.on}
            </button>
            <button
              type="button"
              className="btn line"
              aria-label={messages.removeName(name)}
              onClick={(event) => openDialog({ kind: 'remove', name }, event.currentTarget)}
            >
              {messages.remove}
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
      return <>{profileText.source.simulated}</>;
    case 'remote':
      return (
        <>
          {profileText.source.remote(URL.parse(source.url)?.host ?? source.url)}
          <p className="t3">{profileText.key.modes[source.mode]}</p>
        </>
      );
    case 'prices':
      return (
        <>
          {profileText.source.prices(source.folder)}
          {source.editorial !== null && <p className="t3">{messages.editorial(source.editorial)}</p>}
          {source.replay !== null && (
            <p className="t3">
              {messages.replay(dayAndYear(Date.parse(source.replay.from)), count(source.replay.speed))}
            </p>
          )}
        </>
      );
  }
}
