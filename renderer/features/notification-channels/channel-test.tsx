// Renderer, notification channels: the button that sends a test through a saved channel, and the receiver's answer.
import { useState } from 'react';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';

const messages = texts.notificationChannels;

interface ChannelTestProps {
  readonly id: string;
  readonly name: string;
  readonly isDisabled?: boolean;
}

export function ChannelTest({ id, name, isDisabled = false }: ChannelTestProps) {
  const { intents } = useServices();
  const [result, setResult] = useState('');
  const test = async (): Promise<void> => {
    setResult(messages.testing);
    const tested = await intents.ask('channels.test', { id });
    setResult(tested.ok ? messages.tested(textOf(tested.value.detail)) : tested.error);
  };
  return (
    <div className="channel-test">
      <button
        type="button"
        className="btn line"
        disabled={isDisabled}
        aria-label={messages.testOf(name)}
        onClick={() => void test()}
      >
        {messages.test}
      </button>
      <span role="status" className="t2">
        {result}
      </span>
    </div>
  );
}
