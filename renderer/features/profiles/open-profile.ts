// Renderer, profiles: opens the window of another profile.
// In a browser the page opens it with a one-time address; in Electron the shell does.
import type { ProfileEntry } from '../../../shared/channels/profiles.ts';
import type { Intents } from '../../link/intents.ts';
import { useServices } from '../../services.ts';
import { useApp } from '../../store/store.ts';

/** @returns a function that opens one; a refusal is shown above the page */
export function useOpenProfile(): (name: string) => void {
  const { intents, ingest } = useServices();
  return (name) => {
    void openProfile(intents, name).then((problem) => ingest({ kind: 'problem', message: problem }));
  };
}

/** @returns why it was not opened, as text */
async function openProfile(intents: Intents, name: string): Promise<string | null> {
  const answer = await intents.ask('profiles.open', { name });
  if (!answer.ok) return answer.error;
  const { address } = answer.value;
  // Opened without an opener, so that the new window cannot reach the session of this one.
  if (address !== null)
    window.open(address, '_blank', `noopener,popup,width=${window.outerWidth},height=${window.outerHeight}`);
  return null;
}

/** null until it is received. */
export const useProfiles = () => useApp((state) => state.features.profiles);

/** The profile of this window; undefined until it is received. */
export const useOwnProfile = () =>
  useApp(({ features, snapshot }) => features.profiles?.profiles.find(({ name }) => name === snapshot?.profile.name));

/**
 * Returns the status of a profile; null while Barograph itself is gone, because its last report is not
 * current.
 */
export function useProfileStatus(): (
  profile: ProfileEntry,
) => Pick<ProfileEntry, 'high' | 'message' | 'status'> | null {
  const isGone = useApp((state) => state.link === 'down');
  return (profile) => (isGone ? null : profile);
}

/** A profile that is monitored here has a window, also while its service starts. */
export const isRunning = (status: ProfileEntry['status']): boolean =>
  status === 'connected' || status === 'stale' || status === 'offline' || status === 'opening';
