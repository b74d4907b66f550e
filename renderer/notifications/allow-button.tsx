// Renderer: the button by which the user allows notifications in this browser.
import { texts } from '../../shared/text/texts.ts';
import { useServices } from '../services.ts';

export function AllowButton({ className }: { readonly className: string }) {
  const { browserNotifications } = useServices();
  return (
    <button type="button" className={className} onClick={() => browserNotifications?.ask()}>
      {texts.common.notifier.allow}
    </button>
  );
}
