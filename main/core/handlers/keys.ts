// Main, core: the window's calls about the key of its profile.
// No answer carries the key; a refusal is a message for the user.
import { refused } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { KeyState, keyChannels } from '../../../shared/channels/keys.ts';
import { joinedMessages, message } from '../../../shared/text/message.ts';
import type { ProfileKeys } from '../keys/profile-keys.ts';

/** State of the service inside the app, which needs no key. */
const OWN: KeyState = {
  status: 'own',
  tier: 'session',
  tier_label: message('tier.session'),
  message: message('key.own'),
  prefix: null,
  ending: null,
  saved_at: null,
  age_days: null,
  rotation_due: false,
};

/** @param keys null where the profile uses the service inside the app */
export function createKeyHandlers(keys: ProfileKeys | null): Handlers<typeof keyChannels> {
  const act = async (job: (keys: ProfileKeys) => ReturnType<ProfileKeys['set']>): Promise<KeyState> => {
    if (keys === null) throw refused(message('key.own'));
    const done = await job(keys);
    if (!done.ok) throw refused(done.error.message);
    const { warning } = done.value;
    const state = keys.state();
    return { ...state, message: joinedMessages(state.message, warning) };
  };
  return {
    'key.state': () => keys?.state() ?? OWN,
    'key.set': ({ tier, passphrase, ...request }) =>
      act((one) =>
        one.set({
          ...request,
          ...(tier === undefined ? {} : { tier }),
          ...(passphrase === undefined ? {} : { passphrase }),
        }),
      ),
    'key.forget': ({ lost }) => act((one) => one.forget(lost)),
    'key.move': ({ tier, passphrase }) =>
      act((one) => one.move({ tier, ...(passphrase === undefined ? {} : { passphrase }) })),
    'key.unlock': ({ passphrase }) => act((one) => one.unlock(passphrase)),
  };
}
