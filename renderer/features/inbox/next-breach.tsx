// Renderer: what will be told next: the symbol that is nearest to its breach.
import { useMemo } from 'react';
import { texts } from '../../../shared/text/texts.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { useMuteOf } from '../mutes/index.ts';
import { nextBreach } from './row-values.ts';
import { useWaitingLocal } from './use-inbox.ts';

/** Without price alerts that need attention it says that nothing does. */
export function NextBreach() {
  const rows = useSnapshot((snapshot) => snapshot.rows);
  const next = useMemo(() => nextBreach(Object.values(rows)), [rows]);
  const isWaiting = useWaitingLocal().length > 0;
  const isMuted = useMuteOf(next?.symbol ?? '') !== undefined;
  const isSilent = useApp(({ features }) => features.alerting?.silent === true);
  const isQuiet = useApp(({ features }) => features.alerting?.is_quiet === true);
  const but = isSilent ? 'silent' : isQuiet ? 'quiet' : isMuted ? 'muted' : null;
  return (
    <p className="inbox-next">
      {!isWaiting && <b className="strong">{texts.inbox.barNone}.</b>}{' '}
      {next !== null && texts.inbox.next(next.symbol, next.level, next.count, but)}
    </p>
  );
}
