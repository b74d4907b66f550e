// Renderer: components whose code is loaded later. Once it is there, they are drawn like any other, without a wait of their own.
import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { laterParts } from '../parts-later.ts';
import { useServices } from '../services.ts';
import { en } from '../text/en.ts';
import { Awaited, Failed } from './awaited.tsx';

type Load<Props> = () => Promise<ComponentType<Props>>;

/** A part of a page. @param what its name, for whoever waits */
export const laterPart = <Props extends object>(what: string, load: Load<Props>): ComponentType<Props> =>
  later(what, load, (waiting) => waiting);

/** A page. @param what its name, for whoever waits */
export const laterPage = (what: string, load: Load<object>): ComponentType =>
  later(what, load, (waiting) => <main className="later">{waiting}</main>);

function later<Props extends object>(
  what: string,
  load: Load<Props>,
  around: (waiting: ReactNode) => ReactNode,
): ComponentType<Props> {
  const part = laterParts.add(load);
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each part, where a front door is loaded.
  return function Later(props: Props) {
    const loading = useSyncExternalStore(part.subscribe, part.read);
    useEffect(() => void part.load(), []);
    if (loading.status === 'ready') return <loading.code {...props} />;
    return around(
      loading.status === 'failed' ? (
        <NotLoaded what={what} />
      ) : (
        <Awaited what={en.later.awaiting(what)} progress={null} />
      ),
    );
  };
}

/** A dialog: nothing is drawn until it is there. Where it cannot be had, it is closed again, and the status bar says why. */
export function laterDialog<Props extends { readonly onClose: () => void }>(
  what: string,
  load: Load<Props>,
): ComponentType<Props> {
  const part = laterParts.add(load);
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each part, where a front door is loaded.
  return function LaterDialog(props: Props) {
    const { ingest } = useServices();
    const loading = useSyncExternalStore(part.subscribe, part.read);
    const { onClose } = props;
    useEffect(() => void part.load(), []);
    useEffect(() => {
      if (loading.status !== 'failed') return;
      ingest({ kind: 'problem', message: en.later.dialogFailed(what) });
      onClose();
    }, [loading.status, ingest, onClose]);
    return loading.status === 'ready' ? <loading.code {...props} /> : null;
  };
}

/** A browser does not ask again for code that it could not have once: the page has to be loaded anew. */
const NotLoaded = ({ what }: { what: string }) => (
  <Failed
    what={en.later.failed(what)}
    why={en.later.failedWhy}
    act={en.later.again}
    onRetry={() => location.reload()}
  />
);
