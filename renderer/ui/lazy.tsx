// Renderer: components whose code loads later; once loaded, they render without a wait.
import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { texts } from '../../shared/text/texts.ts';
import { lazyModules } from '../lazy-modules.ts';
import { useServices } from '../services.ts';
import { ErrorNotice, LoadingNotice } from './loading-notice.tsx';

type Loader<Props> = () => Promise<ComponentType<Props>>;

/** A part of a page. @param what names the part in the loading notice */
export const lazyComponent = <Props extends object>(what: string, load: Loader<Props>): ComponentType<Props> =>
  createLazy(what, load, (waiting) => waiting);

/** A part whose place is known, or which takes keys, before its code is there: `Waiting` holds it. */
export const lazyPanel = <Props extends object>(
  what: string,
  load: Loader<Props>,
  Waiting: ComponentType<Props>,
): ComponentType<Props> => createLazy(what, load, (waiting) => waiting, Waiting);

/** A page. @param what names the page in the loading notice */
export const lazyPage = (what: string, load: Loader<object>): ComponentType =>
  createLazy(what, load, (waiting) => <main className="lazy-page">{waiting}</main>);

function createLazy<Props extends object>(
  what: string,
  load: Loader<Props>,
  around: (waiting: ReactNode) => ReactNode,
  Waiting: ComponentType<Props> = () => <LoadingNotice what={texts.common.lazy.loading(what)} progress={null} />,
): ComponentType<Props> {
  const module = lazyModules.add(load);
  return function LazyComponent(props: Props) {
    const loading = useSyncExternalStore(module.subscribe, module.read);
    useEffect(() => void module.load(), []);
    if (loading.status === 'ready') return <loading.code {...props} />;
    return around(loading.status === 'failed' ? <NotLoaded what={what} /> : <Waiting {...props} />);
  };
}

/** A dialog: draws nothing until it is loaded. If loading fails, closes it, and the status bar says why. */
export function lazyDialog<Props extends { readonly onClose: () => void }>(
  what: string,
  load: Loader<Props>,
): ComponentType<Props> {
  const module = lazyModules.add(load);
  // biome-ignore lint/correctness/noComponentHookFactories: called once per part, when the module loads.
  return function LazyDialog(props: Props) {
    const { ingest } = useServices();
    const loading = useSyncExternalStore(module.subscribe, module.read);
    const { onClose } = props;
    useEffect(() => void module.load(), []);
    useEffect(() => {
      if (loading.status !== 'failed') return;
      ingest({ kind: 'problem', message: texts.common.lazy.dialogFailed(what) });
      onClose();
    }, [loading.status, ingest, onClose]);
    return loading.status === 'ready' ? <loading.code {...props} /> : null;
  };
}

/** A browser does not request again a module that failed to load: the page must be reloaded. */
const NotLoaded = ({ what }: { what: string }) => (
  <ErrorNotice
    what={texts.common.lazy.failed(what)}
    why={texts.common.lazy.failedWhy}
    act={texts.common.lazy.again}
    onRetry={() => location.reload()}
  />
);
