// Renderer: the page before the first snapshot: the loading notice, or the reason of a failure.
import { useEffect, useState } from 'react';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { SessionFailure } from '../../link/session.ts';
import { useServices } from '../../services.ts';
import { useApp } from '../../store/store.ts';
import { Logo } from '../../ui/glyph.tsx';
import { SAY_AFTER } from '../../ui/loading-notice.tsx';
import './shell.css';

/** Draws nothing at first: the snapshot usually arrives before a message could be drawn. */
export function Waiting() {
  const { clock } = useServices();
  const [isLong, setLong] = useState(false);
  useEffect(() => clock.after(SAY_AFTER, () => setLong(true)), [clock]);
  const link = useApp((state) => state.link);
  const ended = useApp((state) => state.ended);
  const problem = useApp((state) => state.problem);
  // The session has ended: nothing else will be loaded.
  if (ended !== null) return <Notice heading={texts.common.waiting.noSession} text={textOf(ended)} />;
  if (!isLong && problem === null) return null;
  return (
    <Notice
      heading={texts.common.waiting.heading}
      text={problem ?? (link === 'up' ? texts.common.waiting.snapshot : texts.common.waiting.link)}
    />
  );
}

export function NoSessionNotice({ reason }: { reason: SessionFailure }) {
  const text = {
    no_token: texts.common.waiting.noToken,
    token_refused: texts.common.waiting.tokenRefused,
    unreachable: texts.common.waiting.unreachable,
  }[reason];
  return <Notice heading={texts.common.waiting.noSession} text={text} />;
}

export function Notice({ heading, text }: { heading: string; text: string }) {
  return (
    <main className="notice">
      <Logo />
      <h1>{heading}</h1>
      <p role="status">{text}</p>
    </main>
  );
}
