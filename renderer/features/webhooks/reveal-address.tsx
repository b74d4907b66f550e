// Renderer, webhooks: the button that reveals the relay's secret address.
import { useState } from 'react';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { SecretOnce } from './secret-once.tsx';

export function RevealAddress({ onSaid }: { onSaid: (message: string) => void }) {
  const { queries } = useServices();
  const [url, setUrl] = useState<string | null>(null);
  const show = async (): Promise<void> => {
    const answer = await queries.once('relay.reveal', {});
    const found = answer.ok ? answer.value.url : null;
    if (found === null) onSaid(answer.ok ? texts.webhooks.secret.noAddress : answer.error);
    setUrl(found);
  };
  return (
    <>
      <button type="button" className="link" onClick={() => void show()}>
        {texts.webhooks.relay.reveal}
      </button>
      {url !== null && (
        <SecretOnce
          heading={texts.webhooks.secret.addressHeading}
          note={texts.webhooks.secret.addressOnce}
          label={texts.webhooks.secret.addressLabel}
          secret={url}
          isLasting
          onClose={() => setUrl(null)}
        />
      )}
    </>
  );
}
