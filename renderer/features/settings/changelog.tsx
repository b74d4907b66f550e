// Renderer, settings: what changed for users, and the notice of it after an update.
import { useEffect, useState } from 'react';
import changelog from '../../../CHANGELOG.md?raw';
import { texts } from '../../../shared/text/texts.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { useApp } from '../../store/store.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon.tsx';

const messages = texts.settings.changelog;

/** The lines of each version, newest first, after its heading. */
const VERSIONS = changelog
  .split(/^## /m)
  .slice(1)
  .map((version) => version.split('\n'));

/** Opens the changelog in a dialog. */
export function ChangelogButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="btn line" onClick={() => setOpen(true)}>
        {messages.act}
      </button>
      {isOpen && (
        <Dialog heading={messages.heading} isRead onClose={() => setOpen(false)}>
          <div className="changelog">
            {VERSIONS.map(([version, ...lines]) => (
              <section key={version}>
                <h3>{version}</h3>
                <pre>{lines.join('\n').trim()}</pre>
              </section>
            ))}
          </div>
          <div className="dialog-actions">
            <button type="button" className="btn line" onClick={() => setOpen(false)}>
              {texts.common.close}
            </button>
          </div>
        </Dialog>
      )}
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
  <section className="banner intro" aria-label={messages.updated(version)}>
    <p className="grow ell">
      <b className="md">{messages.updated(version)}</b>
    </p>
    <ChangelogButton />
    <IconButton icon="close" label={messages.hide} hasTitle onClick={() => preferences.seeVersion(version)} />
  </section>
);
