// Renderer, profiles: the environment in the title bar, and its menu of other profiles' windows.
import type { ProfileEntry } from '../../../shared/channels/profiles.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { goTo } from '../../store/route.ts';
import { useSnapshot } from '../../store/store.ts';

import { EnvironmentIcon } from '../../ui/environment-icon.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx';
import { openDialog } from './dialog-request.ts';
import { useOpenProfile, useProfileStatus, useProfiles } from './open-profile.ts';
import './profiles.css';

export function ProfilesMenu() {
  const profile = useSnapshot((snapshot) => snapshot.profile);
  const others = useProfiles()?.profiles.filter(({ name, enabled }) => enabled && name !== profile.name) ?? [];
  const statusOf = useProfileStatus();
  const open = useOpenProfile();
  return (
    <section className={`envtag ${profile.environment}`} aria-label={texts.common.environmentLabel}>
      <Menu
        align="end"
        trigger={
          <button type="button" className="envbutton" title={texts.profiles.menuName(profile.name)}>
            <b className="env-name">
              {profile.environment === 'sandbox' ? texts.common.sandbox : texts.common.production}
            </b>
            {profile.replay && <b className="env-replay">{texts.common.replay}</b>}
            <span className="env-label ell">{textOf(profile.label)}</span>
            <span className="env-more">
              <Icon name="down" size={10} />
            </span>
          </button>
        }
      >
        <p className="menu-label">{texts.profiles.menuHeading}</p>
        <MenuItem onSelect={() => undefined} disabled>
          <Entry
            name={profile.name}
            environment={profile.environment}
            replay={profile.replay}
            status={texts.profiles.thisWindow}
            high={0}
          />
        </MenuItem>
        {others.map((one) => {
          const now = statusOf(one);
          return (
            <MenuItem key={one.name} onSelect={() => open(one.name)}>
              <Entry
                name={one.name}
                environment={one.environment}
                replay={one.replay}
                status={now === null ? texts.profiles.statusUnknown : texts.profiles.status[now.status]}
                high={now?.high ?? 0}
              />
            </MenuItem>
          );
        })}
        <MenuLine />
        <MenuItem onSelect={() => openDialog({ kind: 'key', environment: 'production' })}>
          {texts.profiles.addKey}
        </MenuItem>
        <MenuItem onSelect={() => openDialog({ kind: 'prices' })}>{texts.profiles.addPrices}</MenuItem>
        <MenuItem onSelect={() => openDialog({ kind: 'shares' })}>{texts.profiles.shares.act}</MenuItem>
        <MenuItem onSelect={() => openDialog({ kind: 'coins' })}>{texts.profiles.coins.act}</MenuItem>
        <MenuItem onSelect={() => openDialog({ kind: 'crashMarket' })}>{texts.profiles.crashMarket.act}</MenuItem>
        <MenuLine />
        <MenuItem onSelect={() => goTo({ page: 'settings', item: 'profiles' })}>{texts.profiles.manage}</MenuItem>
      </Menu>
    </section>
  );
}

interface EntryProps extends Pick<ProfileEntry, 'name' | 'environment' | 'replay' | 'high'> {
  readonly status: string;
}

function Entry({ name, environment, replay, high, status }: EntryProps) {
  return (
    <span className="menu-profile">
      <EnvironmentIcon environment={environment} />
      <span className="grow">
        <b className="md">{name}</b>{' '}
        <span className={environment === 'sandbox' ? 'env-word sandbox' : 'env-word'}>
          {texts.profiles.environment[environment]}
          {replay && ` ${texts.profiles.replay}`}
        </span>
      </span>
      {high > 0 && (
        <span className="menu-high">
          <Glyph name={2} size={12} />
          {texts.profiles.high(high)}
        </span>
      )}
      <span className="t3 cond">{status}</span>
    </span>
  );
}
