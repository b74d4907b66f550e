// Renderer, connection: where this profile's key is kept, and how old it is. Settings manages it.

import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { goTo } from '../../store/route.ts';
import { useSnapshot } from '../../store/store.ts';
import { DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';
import { Block } from '../../ui/panel-head.tsx';

export function KeysPanel() {
  const environment = useSnapshot((snapshot) => snapshot.profile.environment);
  const query = useChannelQuery('key.state', {});
  const key = query.data ?? null;
  return (
    <Block heading={texts.connection.keys.heading} sub={texts.connection.keys.sub}>
      <DescriptionList narrow>
        <DescriptionItem name={texts.connection.keys.key}>
          {key === null ? (
            <span className="t3">{query.error?.message}</span>
          ) : (
            <>
              {(key.prefix !== null || key.ending !== null) && (
                <span className="mono">
                  {key.prefix ?? ''}
                  {'\u2026'}
                  {key.ending === null ? '' : ` ${key.ending}`}{' '}
                </span>
              )}
              {textOf(key.message)}
            </>
          )}
        </DescriptionItem>
        {key !== null && (
          <DescriptionItem name={texts.connection.keys.storage}>{textOf(key.tier_label)}</DescriptionItem>
        )}
        {key?.age_days != null && (
          <DescriptionItem name={texts.connection.keys.age}>
            {texts.connection.keys.days(key.age_days)}
            {key.rotation_due && <b className="md due">, {texts.connection.keys.due}</b>}
          </DescriptionItem>
        )}
        {environment === 'sandbox' && (
          <DescriptionItem name={texts.connection.keys.production}>
            <button type="button" className="link" onClick={() => goTo({ page: 'settings', item: 'profiles' })}>
              {texts.connection.keys.add}
            </button>
          </DescriptionItem>
        )}
        {key !== null && key.status !== 'own' && (
          <DescriptionItem name="">
            <button type="button" className="link" onClick={() => goTo({ page: 'settings', item: 'keys' })}>
              {texts.connection.keys.manage}
            </button>
          </DescriptionItem>
        )}
      </DescriptionList>
    </Block>
  );
}
