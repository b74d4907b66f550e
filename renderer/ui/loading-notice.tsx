// Renderer: a notice of loading with progress and Stop, or of a failure with its reason and Retry.
import { useEffect, useState } from 'react';
import { texts } from '../../shared/text/texts.ts';
import { useServices } from '../services.ts';
import './loading-notice.css';

/** Shorter waits show no notice, ms (design notes, "Interaction rules"). */
export const SAY_AFTER = 300;
const STOP_AFTER = 3000;

interface LoadingNoticeProps {
  readonly what: string;
  /** 0..1; null where unknown. */
  readonly progress: number | null;
  readonly onStop?: () => void;
}

export function LoadingNotice({ what, progress, onStop }: LoadingNoticeProps) {
  const { clock } = useServices();
  const [waited, setWaited] = useState(0);
  useEffect(() => {
    const cancels = [SAY_AFTER, STOP_AFTER].map((ms) => clock.after(ms, () => setWaited(ms)));
    return () => {
      for (const cancel of cancels) cancel();
    };
  }, [clock]);
  const percent = progress === null ? null : Math.floor(progress * 100);
  return (
    <div className="loading-notice" role="status">
      {waited >= SAY_AFTER && (
        <>
          <p className="t2">
            {what}
            {percent !== null && <b className="md"> {percent}&nbsp;%</b>}
          </p>
          {percent !== null && <progress max={100} value={percent} aria-label={what} />}
          {onStop !== undefined && waited >= STOP_AFTER && (
            <button type="button" className="btn line" onClick={onStop}>
              {texts.common.stop}
            </button>
          )}
        </>
      )}
    </div>
  );
}

interface ErrorNoticeProps {
  readonly what: string;
  readonly why: string | null;
  readonly onRetry: () => void;
  /** Label of the button, if retrying is more than that. */
  readonly act?: string;
}

export function ErrorNotice({ what, why, onRetry, act = texts.common.tryAgain }: ErrorNoticeProps) {
  return (
    <div className="loading-notice" role="status">
      <p className="md">{what}</p>
      <p className="t2">{why}</p>
      <button type="button" className="btn line" onClick={onRetry}>
        {act}
      </button>
    </div>
  );
}

interface QueryNoticeProps {
  readonly query: {
    readonly error: Error | null;
    /** Why the query, which is being retried, has no value yet. */
    readonly failureReason?: Error | null;
    readonly refetch: () => unknown;
  };
  readonly loading: string;
  readonly failed: string;
}

/** In place of a query without a value: that it loads or why not yet, or why it failed. */
export const QueryNotice = ({ query: { error, failureReason, refetch }, loading, failed }: QueryNoticeProps) =>
  error === null ? (
    <LoadingNotice what={failureReason?.message ?? loading} progress={null} />
  ) : (
    <ErrorNotice what={failed} why={error.message} onRetry={() => void refetch()} />
  );
