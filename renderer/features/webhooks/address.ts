// Renderer, webhooks, pure: the schema of an address, and the text of its refusals.
import { err, type Result } from '../../../shared/lib/result.ts';

import { texts } from '../../../shared/text/texts.ts';
import { checkText } from '../../ui/form/schemas.ts';

/** A full http address. @param example for the message */
export const addressSchema = (example: string) =>
  checkText((text) => {
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== ''
      ? null
      : texts.webhooks.wholeAddress(example);
  });

/** A refusal by the core, without the name of the field that shows it. */
export function withoutField(refusal: string): Result<never, string> {
  const plain = refusal.replace(/^(?:[\w.]+: )?url: /, '');
  return err(plain.charAt(0).toUpperCase() + plain.slice(1));
}
