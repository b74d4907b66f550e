// Renderer, settings: what changed for users, by version.
import changelog from '../../../CHANGELOG.md?raw';
import { texts } from '../../../shared/text/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';

const messages = texts.common.update;

/** The lines of each version, newest first, after its heading. */
const VERSIONS = changelog
  .split(/^## /m)
  .slice(1)
  .map((version) => version.split('\n'));

export function ChangelogDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog heading={messages.changes} isRead onClose={onClose}>
      <div className="changelog">
        {VERSIONS.map(([version, ...lines]) => (
          <section key={version}>
            <h3>{version}</h3>
            <pre>{lines.join('\n').trim()}</pre>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
