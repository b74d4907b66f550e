// Renderer, webhooks, pure: what is wrong with an address, said at the field in which it was typed.
import { webhookText as messages } from '../../text/webhooks.ts';

/** What can be seen before anybody is asked. @param example how a whole address looks; @returns the cure, null where nothing is wrong */
export function addressProblem(typed: string, example: string): string | null {
  const url = URL.parse(typed.trim());
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? null : messages.wholeAddress(example);
}

/** A refusal without the name of its field, for it stands at that. */
export function atAddress(refusal: string): string {
  const plain = refusal.replace(/^(?:[\w.]+: )?url: /, '');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
