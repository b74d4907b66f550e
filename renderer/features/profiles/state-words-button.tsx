// Renderer, profiles: the button that opens the form for words of a service that are not known.
import { texts } from '../../../shared/text/texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { openDialog } from './dialog-request.ts';

/** As a tag, it has no room for an icon. */
export function StateWordsButton({ className }: { className: 'btn on-crimson' | 'tag fault' }) {
  return (
    <button type="button" className={className} onClick={() => openDialog({ kind: 'states' })}>
      {className !== 'tag fault' && <Icon name="warn" />}
      {texts.profiles.stateWords.act}
    </button>
  );
}
