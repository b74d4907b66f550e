// Renderer, connection: where this profile's key is kept, and how old it is. Settings manages it.
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { goTo } from '../../store/route.ts';
import { useSnapshot } from '../../store/store.ts';
import { connectionText as messages } from '../../text/connection.ts';
import { DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';

export function KeysPanel() {
  const environment = useSnapshot((snapshot) => snapshot.profile.environment);
  const query = useChannelQuery('key.state', {});
  const key = query.data ?? null;
  return (
    <section aria-label={messages.keys.heading}>
      <div className="head block-head">
        <h2>{messages.keys.heading}</h2>
        <span className="sub ell">{messages.keys.sub}</span>
      </div>
      <DescriptionList narrow>
        <DescriptionItem name={messages.keys.key}>
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
              {key.message}
            </>
          )}
        </DescriptionItem>
        {key !== null && <DescriptionItem name={messages.keys.storage}>{key.tier_label}</DescriptionItem>}
        {key?.age_days != null && (
          <DescriptionItem name={messages.keys.age}>
            {messages.keys.days(key.age_days)}
            {key.rotation_due && <b className="md due">, {messages.keys.due}</b>}
          </DescriptionItem>
        )}
        {environment === 'sandbox' && (
          <DescriptionItem name={messages.keys.production}>
            <button type="button" className="link" onClick={() => goTo({ page: 'settings', item: 'profiles' })}>
              {messages.keys.add}
            </button>
          </DescriptionItem>
        )}
        {key !== null && key.status !== 'own' && (
          <DescriptionItem name="">
            <button type="button" className="link" onClick={() => goTo({ page: 'settings', item: 'keys' })}>
              {messages.keys.manage}
            </button>
          </DescriptionItem>
        )}
      </DescriptionList>
    </section>
  );
}
