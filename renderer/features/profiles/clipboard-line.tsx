// Renderer, profiles: reports whether the pasted key was removed from the clipboard.
import { useEffect, useState } from 'react';

import { texts } from '../../../shared/text/texts.ts';
import { type ClipboardOutcome, clearClipboard, type KeyTrace } from './clipboard.ts';

const messages = texts.profiles.clipboard;

export function ClipboardLine({ trace }: { trace: KeyTrace }) {
  const [outcome, setOutcome] = useState<ClipboardOutcome | null>(null);
  useEffect(() => {
    void clearClipboard(trace, false).then(setOutcome);
  }, [trace]);
  if (outcome === null) return null;
  return (
    <p>
      {messages[outcome]}{' '}
      {outcome === 'ask' && (
        <button type="button" className="link" onClick={() => void clearClipboard(trace, true).then(setOutcome)}>
          {messages.clear}
        </button>
      )}
    </p>
  );
}
