// Renderer, settings: every profile of this computer: source of its signals, status and actions.

import type { ProfileEntry, Profiles } from '../../../shared/channels/profiles.ts';
import { stateMapText } from '../../../shared/settings/state-map.ts';
import { count, dayAndYear } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { EnvironmentIcon } from '../../ui/environment-icon.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { LoadingNotice } from '../../ui/loading-notice.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { isRunning, openDialog, useOpenProfile, useProfileStatus, useProfiles } from '../profiles/index.ts';
import { Section } from './section.tsx';

const messages = texts.settings.profiles;

export function ProfilesSection() {
  const profiles = useProfiles();
  if (profiles === null) return <LoadingNotice what={messages.loading} progress={null} />;
  return (
    <Section heading={texts.settings.section.profiles} sub={messages.sub}>
      <div className="form-row">
        <button
          type="button"
          className="btn primary"
          onClick={() => openDialog({ kind: 'key', environment: 'production' })}
        >
          {messages.addKey}
        </button>
        <button type="button" className="btn" onClick={() => openDialog({ kind: 'prices' })}>
          {messages.addPrices}
        </button>
      </div>
      <ProfilesTable profiles={profiles} />
      <p className="t3">{messages.own}</p>
    </Section>
  );
}

function ProfilesTable({ profiles: { profiles, shown } }: { profiles: Profiles }) {
  const columns: readonly Column<ProfileEntry>[] = [
    { name: messages.name, isRowHead: true, cell: (profile) => <Name profile={profile} /> },
    { name: messages.source, cellClass: 'wraps', cell: (profile) => <Source profile={profile} /> },
    {
      name: messages.state,
      cellClass: 'wraps',
      cell: (profile) => <Status profile={profile} isShown={profile.name === shown} />,
    },
    {
      name: messages.acts,
      isSpoken: true,
      cellClass: 'num',
      cell: (profile) => profile.name !== shown && <Actions profile={profile} />,
    },
  ];
  return (
    <Table
      label={messages.table}
      className="profiles-table"
      columns={columns}
      rows={profiles}
      keyOf={({ name }) => name}
    />
  );
}

const Name = ({ profile: { name, environment, replay } }: { profile: ProfileEntry }) => (
  <span className="row">
    <EnvironmentIcon environment={environment} />
    <span>
      <b>{name}</b>
      <br />
      <span className={environment === 'sandbox' ? 'env-word sandbox' : 'env-word'}>
        {texts.profiles.environment[environment]}
        {replay && ` ${texts.profiles.replay}`}
      </span>
    </span>
  </span>
);

function Status({ profile, isShown }: { profile: ProfileEntry; isShown: boolean }) {
  const now = useProfileStatus()(profile);
  const text = now === null ? texts.profiles.statusUnknown : texts.profiles.status[now.status];
  return (
    <>
      <span className={now === null || ALARMING.includes(now.status) ? 'md hi' : 'md'}>
        {isShown ? texts.profiles.shownHere(text) : text}
      </span>
      {now !== null && now.high > 0 && (
        <>
          {' '}
          <span className="menu-high">
            <Glyph name={2} size={12} /> {texts.profiles.high(now.high)}
          </span>
        </>
      )}
      {now !== null && now.message !== null && <p className="t2">{textOf(now.message)}</p>}
    </>
  );
}

const ALARMING: readonly ProfileEntry['status'][] = ['offline', 'stale', 'failed'];

function Actions({ profile: { name, enabled, status } }: { profile: ProfileEntry }) {
  const { intents } = useServices();
  const open = useOpenProfile();
  return (
    <span className="row acts">
      {isRunning(status) && (
        <button type="button" className="btn line" aria-label={messages.openName(name)} onClick={() => open(name)}>
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
        onClick={() => openDialog({ kind: 'remove', name })}
      >
        {messages.remove}
      </button>
    </span>
  );
}

function Source({ profile: { source } }: { profile: ProfileEntry }) {
  switch (source.kind) {
    case 'simulated':
      return (
        <>
          {texts.profiles.source.simulated}
          {source.scenario !== null && <p className="t3">{texts.profiles.scenario[source.scenario]}</p>}
        </>
      );
    case 'feed':
      return texts.profiles.source.feed(source.feed);
    case 'remote':
      return (
        <>
          {texts.profiles.source.remote(URL.parse(source.url)?.host ?? source.url)}
          <p className="t3">{texts.addKey.modes[source.mode]}</p>
          {source.states !== undefined && <p className="t3">{messages.states(stateMapText(source.states))}</p>}
        </>
      );
    case 'prices':
      return (
        <>
          {texts.profiles.source.prices(source.folder)}
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
