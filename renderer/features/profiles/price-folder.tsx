// Renderer, profiles: what is to be done about the folders of own prices of this window's profile, as lines of text.
import type { ProfileEntry } from '../../../shared/channels/profiles.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { useOwnProfile } from './open-profile.ts';

type PriceFolder = NonNullable<ProfileEntry['folder']>;
const messages = texts.profiles.priceFolder;

/** null: this profile has no price folder, or nothing is to be done about it. */
export function usePriceFolder(): PriceFolder | null {
  const folder = useOwnProfile()?.folder;
  return folder === undefined || folderHeading(folder) === '' ? null : folder;
}

export const folderHeading = ({ added, unwatched, problems, more }: PriceFolder): string =>
  [
    added.length > 0 && messages.added(added),
    unwatched.length > 0 && messages.unwatched(unwatched),
    problems.length > 0 && messages.problems(problems.length + more),
  ]
    .filter(Boolean)
    .join(' ');

/** Its problems as a command prints them. */
export const folderLines = ({ problems }: PriceFolder): string[] =>
  problems.map(({ file, line, reason }) => `${file}${line === 0 ? '' : `:${line}`}: ${reason.replace(/\.$/, '')}.`);

/** Opens the profile again, so that its service reads the symbols that were added. */
export function RestartButton() {
  const { intents } = useServices();
  return (
    <button type="button" className="btn line" onClick={() => intents.send('profiles.restart', {})}>
      {messages.restart}
    </button>
  );
}
