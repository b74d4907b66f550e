// Renderer, settings: opens what changed for users; the notice of it after an update.
import { useEffect, useState } from 'react';
import { texts } from '../../../shared/text/texts.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { useApp } from '../../store/store.ts';
import { IconButton } from '../../ui/icon.tsx';
import { lazyDialog } from '../../ui/lazy.tsx';

const messages = texts.common.update;

const ChangelogDialog = lazyDialog(
  messages.changes,
  async () => (await import('./changelog-dialog.tsx')).ChangelogDialog,
);

/** Opens the changelog in a dialog. */
export function ChangelogButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="btn line" onClick={() => setOpen(true)}>
        {messages.changes}
      </button>
      {isOpen && <ChangelogDialog onClose={() => setOpen(false)} />}
    </>
  );
}

/** The version that an update brought, until the user has closed its notice; null: there is none. */
export function useUpdated(): string | null {
  const version = useApp((state) => state.features.shell?.version ?? null);
  const seen = usePreference((preference) => preference.seenVersion);
  // The first version that a user meets is no update.
  useEffect(() => {
    if (version !== null && seen === null) preferences.seeVersion(version);
  }, [version, seen]);
  return seen === null || seen === version ? null : version;
}

export const Updated = ({ version }: { version: string }) => (
  <section className="banner intro" aria-label={messages.done(version)}>
    <p className="grow ell">
      <b className="md">{messages.done(version)}</b>
    </p>
    <ChangelogButton />
    <IconButton icon="close" label={messages.hide} hasTitle onClick={() => preferences.seeVersion(version)} />
  </section>
);
