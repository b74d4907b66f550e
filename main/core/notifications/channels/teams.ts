// Main, core: posts a notification to a channel of Microsoft Teams, as an adaptive card to a workflow.
// https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
import { message } from '../../../../shared/text/message.ts';
import { type Channel, cut, ONE_DAY, requiredSecret } from './channel.ts';
import { post } from './http.ts';

const COLOR = { low: 'Good', normal: 'Warning', critical: 'Attention' };
/** A card is at most 28 KB; a character is at most 6 bytes of its JSON. */
const LONGEST_BODY = 4000;

export const teams: Channel<'teams'> = {
  retriedFor: ONE_DAY,
  secretOwner: () => 'webhook',
  async send(_, { title, body, urgency }, secret, ports) {
    const line = (text: string, style: object) => ({ type: 'TextBlock', text: escaped(text), wrap: true, ...style });
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [
        line(cut(title, 300), { weight: 'Bolder', size: 'Medium', color: COLOR[urgency] }),
        ...(body === '' ? [] : [line(cut(body, LONGEST_BODY), {})]),
      ],
    };
    const card = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content };
    const { host } = await post(ports, {
      url: requiredSecret(secret),
      body: JSON.stringify({ type: 'message', attachments: [card] }),
      secret,
    });
    return { outcome: 'sent', detail: message('delivery.taken', { host }) };
  },
};

/** A text block reads Markdown: links in a text from outside stay text. */
const escaped = (text: string): string => text.replace(/[\\`*_[\]]/g, '\\$&');
