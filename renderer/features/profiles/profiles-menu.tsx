// Renderer, profiles: the environment in the title bar. It says which world this window shows; its menu leads to the windows of the others.
import { useRef } from 'react';
import type { ProfileEntry } from '../../../shared/channels/profiles.ts';
import { goTo } from '../../store/place.ts';
import { useBoard } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { profileWords as words } from '../../text/profiles.ts';
import { EnvironmentMark } from '../../ui/environment-mark.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx';
import { type Errand, sendFor } from './errand.ts';
import { useOpenProfile, useProfiles } from './open-profile.ts';
import './profiles.css';

export function ProfilesMenu() {
  const profile = useBoard((board) => board.profile);
  const others = useProfiles()?.profiles.filter(({ name, enabled }) => enabled && name !== profile.name) ?? [];
  const open = useOpenProfile();
  const button = useRef<HTMLButtonElement>(null);
  const send = (errand: Errand): void => sendFor(errand, button.current);
  return (
    <section className={`envtag ${profile.environment}`} aria-label={en.environmentLabel}>
      <Menu
        align="end"
        trigger={
          <button type="button" className="envbutton" ref={button} title={words.menuName(profile.name)}>
            <b className="env-name">{profile.environment === 'sandbox' ? en.sandbox : en.production}</b>
            {profile.replay && <b className="env-replay">{en.replay}</b>}
            <span className="env-label ell">{profile.label}</span>
            <span className="env-more">
              <Icon name="down" size={10} />
            </span>
          </button>
        }
      >
        <p className="menu-label">{words.menuHeading}</p>
        <MenuItem onSelect={() => undefined} disabled>
          <Entry
            name={profile.name}
            environment={profile.environment}
            replay={profile.replay}
            words={words.thisWindow}
            high={0}
          />
        </MenuItem>
        {others.map((one) => (
          <MenuItem key={one.name} onSelect={() => open(one.name)}>
            <Entry
              name={one.name}
              environment={one.environment}
              replay={one.replay}
              words={words.standing[one.standing]}
              high={one.high}
            />
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem onSelect={() => send({ kind: 'key', environment: 'production' })}>{words.addKey}</MenuItem>
        <MenuItem onSelect={() => send({ kind: 'prices' })}>{words.addPrices}</MenuItem>
        <MenuLine />
        <MenuItem onSelect={() => goTo({ page: 'settings', item: 'profiles' })}>{words.manage}</MenuItem>
      </Menu>
    </section>
  );
}

interface EntryProps extends Pick<ProfileEntry, 'name' | 'environment' | 'replay' | 'high'> {
  readonly words: string;
}

function Entry({ name, environment, replay, high, words: standing }: EntryProps) {
  return (
    <span className="menu-profile">
      <EnvironmentMark environment={environment} />
      <span className="grow">
        <b className="md">{name}</b>{' '}
        <span className={environment === 'sandbox' ? 'env-word sandbox' : 'env-word'}>
          {words.environment[environment]}
          {replay && ` ${words.replay}`}
        </span>
      </span>
      {high > 0 && (
        <span className="menu-high">
          <Glyph name={2} size={12} />
          {words.high(high)}
        </span>
      )}
      <span className="t3 cond">{standing}</span>
    </span>
  );
}
