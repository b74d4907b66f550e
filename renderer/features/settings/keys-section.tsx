// Renderer, settings: the key of this window's profile: where it is kept, how old it is, and how it is replaced while the old one still works.
import { useRef, useState } from 'react';
import type { KeyState } from '../../../shared/channels/keys.ts';
import { useServices } from '../../services.ts';
import { useBoard } from '../../store/store.ts';
import { dayAndYear } from '../../text/format.ts';
import { settingsWords } from '../../text/settings.ts';
import { Awaited, Failed } from '../../ui/awaited.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { useAnswer } from '../../use-answer.ts';
import { useOpenProfile, useProfiles } from '../profiles/index.ts';
import { ChangeKey, MoveKey, OpenVault } from './key-forms.tsx';
import { Section } from './parts.tsx';

const words = settingsWords.keys;
const DAY = 86_400_000;
/** Days after which a production key should be replaced. */
const ROTATE_AFTER = 90;

export function KeysSection() {
  const { answers } = useServices();
  const profiles = useProfiles();
  const profile = useBoard((board) => board.profile);
  const own = profiles?.profiles.find(({ name }) => name === profile.name)?.key ?? null;
  const [turn, setTurn] = useState(0);
  const slot = useAnswer('key.state', {}, `${turn} ${JSON.stringify(own)}`);
  const key = slot?.value ?? null;
  return (
    <Section heading={settingsWords.section.keys} sub={words.sub(profile.name)}>
      {key === null &&
        (slot?.status === 'failed' ? (
          <Failed what={words.failed} why={slot.problem} onRetry={() => answers.read('key.state', {})} />
        ) : (
          <Awaited what={words.awaiting} progress={null} />
        ))}
      {key !== null && (
        <OwnKey key={profile.name} state={key} name={profile.name} onChanged={() => setTurn(turn + 1)} />
      )}
      <Others />
    </Section>
  );
}

type Open = 'set' | 'move' | 'unlock' | 'forget' | null;

function OwnKey({ state, name, onChanged }: { state: KeyState; name: string; onChanged: () => void }) {
  const { intents, clock } = useServices();
  const environment = useBoard((board) => board.profile.environment);
  const [open, setOpen] = useState<Open>(null);
  const [said, setSaid] = useState<string | null>(null);
  const forget = useRef<HTMLButtonElement>(null);
  const done = (line: string): void => {
    setOpen(null);
    setSaid(line);
    onChanged();
  };
  const { standing, ending, age_days: age, rotation_due: due } = state;
  if (standing === 'own') return <p>{state.words}</p>;
  return (
    <>
      <Facts narrow>
        <Fact name={words.key}>
          {ending === null ? (
            words.none
          ) : (
            <span className="mono">
              {state.prefix}… {ending}
            </span>
          )}
          <p className={standing === 'ready' ? 't2' : 'settings-warning'}>{state.words}</p>
        </Fact>
        <Fact name={words.where}>{state.tier_words}</Fact>
        {age !== null && (
          <Fact name={words.age}>
            {words.days(age)}
            {environment === 'production' &&
              (due ? (
                <b className="settings-warning"> {words.due}</b>
              ) : (
                <span className="t3">, {words.nextDue(dayAndYear(clock.now() + (ROTATE_AFTER - age) * DAY))}</span>
              ))}
          </Fact>
        )}
      </Facts>
      <p role="status" className="t2">
        {said}
      </p>
      <div className="form-row">
        <button
          type="button"
          className={due || ending === null ? 'btn primary' : 'btn'}
          onClick={() => setOpen(open === 'set' ? null : 'set')}
        >
          {ending === null ? words.add : words.replace}
        </button>
        {standing === 'locked' && (
          <button type="button" className="btn" onClick={() => setOpen(open === 'unlock' ? null : 'unlock')}>
            {words.unlock}
          </button>
        )}
        {ending !== null && (
          <>
            <button type="button" className="btn" onClick={() => setOpen(open === 'move' ? null : 'move')}>
              {words.move}
            </button>
            <button type="button" className="btn" ref={forget} onClick={() => setOpen('forget')}>
              {words.forget}
            </button>
          </>
        )}
      </div>
      {open === 'set' && <ChangeKey state={state} environment={environment} onDone={done} />}
      {open === 'move' && <MoveKey state={state} onDone={done} />}
      {open === 'unlock' && <OpenVault onDone={done} />}
      {open === 'forget' && (
        <Confirm
          heading={words.forget}
          words={words.forgetWords(name, ending ?? '')}
          act={words.forgetAct}
          returnTo={forget}
          onYes={() => {
            intents.tell('key.forget', {});
            onChanged();
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

function Others() {
  const profiles = useProfiles();
  const open = useOpenProfile();
  const others = profiles?.profiles.filter(({ name, key }) => name !== profiles.shown && key !== null) ?? [];
  if (others.length === 0) return null;
  return (
    <>
      <h3>{words.others}</h3>
      <ul className="settings-list">
        {others.map(({ name, key }) => (
          <li key={name}>
            <b className="md">{name}</b> {key?.ending != null && <span className="mono">… {key.ending}</span>}{' '}
            <span className={key?.rotation_due === true || key?.standing !== 'ready' ? 'settings-warning' : 't2'}>
              {key?.words}
            </span>{' '}
            <button type="button" className="link" onClick={() => open(name)}>
              {words.ofOther(name)}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
