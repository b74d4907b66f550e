// Renderer, connection: where the key of this profile is kept and how old it is. What can be done with it is in Settings.

import { goTo } from '../../store/place.ts';
import { useApp, useBoard } from '../../store/store.ts';
import { connectionWords as words } from '../../text/connection.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { useAnswer } from '../../use-answer.ts';

export function KeysPanel() {
  const label = useBoard((board) => board.profile.label);
  const environment = useBoard((board) => board.profile.environment);
  const link = useApp((state) => state.link);
  const slot = useAnswer('key.state', {}, `${label} ${link}`);
  const key = slot?.value ?? null;
  return (
    <section aria-label={words.keys.heading}>
      <div className="head block-head">
        <h2>{words.keys.heading}</h2>
        <span className="sub ell">{words.keys.sub}</span>
      </div>
      <Facts narrow>
        <Fact name={words.keys.key}>
          {key === null ? (
            <span className="t3">{slot?.problem ?? ''}</span>
          ) : (
            <>
              {(key.prefix !== null || key.ending !== null) && (
                <span className="mono">
                  {key.prefix ?? ''}
                  {'\u2026'}
                  {key.ending === null ? '' : ` ${key.ending}`}{' '}
                </span>
              )}
              {key.words}
            </>
          )}
        </Fact>
        {key !== null && <Fact name={words.keys.storage}>{key.tier_words}</Fact>}
        {key?.age_days != null && (
          <Fact name={words.keys.age}>
            {words.keys.days(key.age_days)}
            {key.rotation_due && <b className="md due">, {words.keys.due}</b>}
          </Fact>
        )}
        {environment === 'sandbox' && (
          <Fact name={words.keys.production}>
            <button type="button" className="link" onClick={() => goTo({ page: 'settings', item: 'profiles' })}>
              {words.keys.add}
            </button>
          </Fact>
        )}
        {key !== null && key.standing !== 'own' && (
          <Fact name="">
            <button type="button" className="link" onClick={() => goTo({ page: 'settings', item: 'keys' })}>
              {words.keys.manage}
            </button>
          </Fact>
        )}
      </Facts>
    </section>
  );
}
