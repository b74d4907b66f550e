// Renderer, profiles: after a key was kept: what is with the clipboard that it came from.
import { useEffect, useState } from 'react';
import { profileWords } from '../../text/profiles.ts';
import { type Cleared, clearClipboard, type KeyTrace } from './clipboard.ts';

const words = profileWords.clipboard;

export function ClipboardLine({ trace }: { trace: KeyTrace }) {
  const [outcome, setOutcome] = useState<Cleared | null>(null);
  useEffect(() => {
    void clearClipboard(trace, false).then(setOutcome);
  }, [trace]);
  if (outcome === null) return null;
  return (
    <p>
      {words[outcome]}{' '}
      {outcome === 'ask' && (
        <button type="button" className="link" onClick={() => void clearClipboard(trace, true).then(setOutcome)}>
          {words.clear}
        </button>
      )}
    </p>
  );
}
