// Renderer, profiles: the button that opens the form for words of a service that are not known.
import { texts } from '../../../shared/text/texts.ts';
import type { CoreSnapshot } from '../../store/state.ts';
import { useSnapshot } from '../../store/store.ts';
import { Icon } from '../../ui/icon.tsx';
import { openDialog } from './dialog-request.ts';

/** @param isTag drawn as a tag, which has no room for an icon; else as a button of the banner */
export function StateWordsButton({ isTag = false }: { isTag?: boolean }) {
  return (
    <button
      type="button"
      className={isTag ? 'tag fault' : 'btn on-crimson'}
      onClick={() => openDialog({ kind: 'states' })}
    >
      {!isTag && <Icon name="warn" />}
      {texts.profiles.stateWords.act}
    </button>
  );
}

const SEPARATOR = '\n';

/** The service's words for unknown states: each once, sorted; equal ones render nothing again. */
export const useStateWords = (): string[] =>
  useSnapshot(joined)
    .split(SEPARATOR)
    .filter((word) => word !== '');

function joined({ rows, alerts }: CoreSnapshot): string {
  const words = [
    ...Object.values(rows).map(({ signal }) => signal?.state_word),
    ...alerts.map(({ transition }) => transition.state_word),
  ];
  return [...new Set(words.filter((word) => word !== undefined))].sort().join(SEPARATOR);
}
