// Renderer, settings: the key of this window's profile: storage, age, and replacement.
import { useState } from 'react';
import type { KeyState } from '../../../shared/channels/keys.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { dayAndYear } from '../../../shared/text/format.ts';
import { optionalText, textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { type Environment, KEY_ROTATION_DAYS } from '../../../shared/wire/keys.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useServices } from '../../services.ts';
import { useSnapshot } from '../../store/store.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';
import { QueryNotice } from '../../ui/loading-notice.tsx';
import { useOpenProfile, useProfiles } from '../profiles/index.ts';
import { ChangeKey, MoveKey, OpenVault } from './key-forms.tsx';
import { Section } from './section.tsx';

const messages = texts.settings.keys;

export function KeysSection() {
  const profile = useSnapshot((snapshot) => snapshot.profile);
  const query = useChannelQuery('key.state', {});
  const key = query.data ?? null;
  const refetch = (): void => void query.refetch();
  return (
    <Section heading={texts.settings.section.keys} sub={messages.sub(profile.name)}>
      {key === null && <QueryNotice query={query} loading={messages.loading} failed={messages.failed} />}
      {key !== null && <OwnKey key={profile.name} state={key} name={profile.name} onChanged={refetch} />}
      <Others />
    </Section>
  );
}

type KeyFormName = 'set' | 'move' | 'unlock' | 'forget' | 'lost' | 'lost-again' | null;

function OwnKey({ state, name, onChanged }: { state: KeyState; name: string; onChanged: () => void }) {
  const { intents } = useServices();
  const environment = useSnapshot((snapshot) => snapshot.profile.environment);
  const profiles = useProfiles();
  const [open, setOpen] = useState<KeyFormName>(null);
  const [said, setSaid] = useState<string | null>(null);
  const done = (line: string): void => {
    setOpen(null);
    setSaid(line);
    onChanged();
  };
  const { status, ending, rotation_due: due } = state;
  if (status === 'own') return <p>{textOf(state.message)}</p>;
  return (
    <>
      <KeyDetails state={state} environment={environment} />
      <p role="status" className="t2">
        {said}
      </p>
      <div className="form-row">
        <button
          type="button"
          className={due || ending === null ? 'btn primary' : 'btn'}
          onClick={() => setOpen(open === 'set' ? null : 'set')}
        >
          {ending === null ? messages.add : messages.replace}
        </button>
        {status === 'locked' && (
          <>
            <button type="button" className="btn" onClick={() => setOpen(open === 'unlock' ? null : 'unlock')}>
              {messages.unlock}
            </button>
            <button type="button" className="btn quiet" onClick={() => setOpen('lost')}>
              {messages.lost}
            </button>
          </>
        )}
        {ending !== null && (
          <>
            <button type="button" className="btn" onClick={() => setOpen(open === 'move' ? null : 'move')}>
              {messages.move}
            </button>
            <button type="button" className="btn" onClick={() => setOpen('forget')}>
              {messages.forget}
            </button>
          </>
        )}
      </div>
      {open === 'set' && profiles !== null && (
        <ChangeKey state={state} profiles={profiles} environment={environment} onDone={done} />
      )}
      {open === 'move' && profiles !== null && <MoveKey state={state} profiles={profiles} onDone={done} />}
      {open === 'unlock' && <OpenVault onDone={done} />}
      {open === 'lost' && (
        <Confirm
          heading={messages.lost}
          message={messages.lostText(name)}
          act={messages.lostAct}
          onYes={() => setOpen('lost-again')}
          onClose={() => setOpen((now) => (now === 'lost' ? null : now))}
        />
      )}
      {open === 'lost-again' && (
        <Confirm
          heading={messages.lostAgain(name)}
          message={messages.lostAgainText(name)}
          act={messages.lostAgainAct(name)}
          onYes={() => {
            intents.send('key.forget', { lost: true });
            done(messages.lostDone);
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'forget' && (
        <Confirm
          heading={messages.forget}
          message={messages.forgetText(name, ending ?? '')}
          act={messages.forgetAct}
          onYes={() => {
            intents.send('key.forget', {});
            onChanged();
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

function KeyDetails({ state, environment }: { state: KeyState; environment: Environment }) {
  const { clock } = useServices();
  const { status, ending, age_days: age, rotation_due: due } = state;
  return (
    <DescriptionList narrow>
      <DescriptionItem name={messages.key}>
        {ending === null ? (
          messages.none
        ) : (
          <span className="mono">
            {state.prefix}… {ending}
          </span>
        )}
        <p className={status === 'ready' ? 't2' : 'settings-warning'}>{textOf(state.message)}</p>
      </DescriptionItem>
      <DescriptionItem name={messages.where}>{textOf(state.tier_label)}</DescriptionItem>
      {age !== null && (
        <DescriptionItem name={messages.age}>
          {messages.days(age)}
          {environment === 'production' &&
            (due ? (
              <b className="settings-warning"> {messages.due}</b>
            ) : (
              <span className="t3">
                , {messages.nextDue(dayAndYear(clock.now() + (KEY_ROTATION_DAYS - age) * DAY_MS))}
              </span>
            ))}
        </DescriptionItem>
      )}
    </DescriptionList>
  );
}

function Others() {
  const profiles = useProfiles();
  const open = useOpenProfile();
  const others = profiles?.profiles.filter(({ name, key }) => name !== profiles.shown && key !== null) ?? [];
  if (others.length === 0) return null;
  return (
    <>
      <h3>{messages.others}</h3>
      <ul className="settings-list">
        {others.map(({ name, key }) => (
          <li key={name}>
            <b className="md">{name}</b> {key?.ending != null && <span className="mono">… {key.ending}</span>}{' '}
            <span className={key?.rotation_due === true || key?.status !== 'ready' ? 'settings-warning' : 't2'}>
              {optionalText(key?.message ?? null)}
            </span>{' '}
            <button type="button" className="link" onClick={() => open(name)}>
              {messages.ofOther(name)}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
