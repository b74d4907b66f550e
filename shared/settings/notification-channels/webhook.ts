// Pure: the settings of a channel that posts to any address, signed as Standard Webhooks describes.
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
import { z } from 'zod';
import { addressPattern, defineChannel } from './channel-kind.ts';

/** What a template may name. */
export const TEMPLATE_FIELDS = ['title', 'body', 'urgency', 'symbol', 'id', 'revision', 'at'] as const;
export type TemplateField = (typeof TEMPLATE_FIELDS)[number];
export type TemplateValues = Readonly<Record<TemplateField, string>>;

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;
/** Placeholders of a JSON text are escaped as JSON is. */
export const isJsonTemplate = (template: string): boolean => /^\s*[{[]/.test(template);

export const filledTemplate = (template: string, values: TemplateValues): string =>
  template.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = isTemplateField(name) ? values[name] : '';
    return isJsonTemplate(template) ? JSON.stringify(value).slice(1, -1) : value;
  });

const isTemplateField = (name: string): name is TemplateField => (TEMPLATE_FIELDS as readonly string[]).includes(name);

const SAMPLE: TemplateValues = { title: 't', body: 'b', urgency: 'low', symbol: 'S', id: 'i', revision: '1', at: 'a' };

/** Why a template cannot be sent; null: it can. */
export function templateProblem(template: string): string | null {
  const unknown = [...template.matchAll(PLACEHOLDER)]
    .map(([, name = '']) => name)
    .find((name) => !isTemplateField(name));
  if (unknown !== undefined) return `{{${unknown}}} is not known: ${TEMPLATE_FIELDS.join(', ')} are.`;
  if (!isJsonTemplate(template)) return null;
  try {
    JSON.parse(filledTemplate(template, SAMPLE));
    return null;
  } catch {
    return 'It begins like JSON, and is none once its placeholders are filled in.';
  }
}

export const webhook = defineChannel({
  name: 'Webhook',
  schema: z.strictObject({
    kind: z.literal('webhook'),
    url: z
      .string()
      .max(2000)
      .regex(
        addressPattern('(\\/[^\\s#]*)?'),
        'must be https://SERVER/PATH, without a user (http on this computer only)',
      ),
    /** The body to send; null: the notification as JSON. */
    template: z
      .string()
      .min(1)
      .max(4000)
      .superRefine((template, context) => {
        const problem = templateProblem(template);
        if (problem !== null) context.addIssue({ code: 'custom', message: problem });
      })
      .nullable(),
  }),
  fields: [
    {
      name: 'url',
      label: 'Address',
      type: 'text',
      initial: '',
      placeholder: 'https://example.com/hook',
      problem: 'An address, like https://example.com/hook.',
    },
    {
      name: 'template',
      label: 'Body, empty: all as JSON',
      type: 'lines',
      initial: '',
      placeholder: '{"text": "{{title}}: {{body}}"}',
      problem: `Text or JSON that names no more than ${TEMPLATE_FIELDS.map((name) => `{{${name}}}`).join(' ')}.`,
    },
  ],
  secret: {
    label: 'Signing secret',
    help: 'Signs each message (Standard Webhooks), so that the receiver knows who sent it. Without one it is unsigned.',
    pattern: /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/,
    problem: 'whsec_ and 24 to 64 bytes in base64.',
    isRequired: false,
  },
});
