// Pure: schemas of an account as its owner sees it: keys, terms, and the calls of a month.
import { z } from 'zod';
import { DAY_MS } from '../lib/time.ts';
import { KEY_SCOPES } from './keys.ts';
import { PLANS } from './limits.ts';
import { TimestampSchema } from './primitives.ts';

export const OVERLAP_DEFAULT_S = 86_400;
const OVERLAP_MOST_S = (365 * DAY_MS) / 1_000;

const AccountIdSchema = z.string().meta({ description: 'Name of the account.', example: 'fund' });
const PlanSchema = z.enum(PLANS).meta({ description: 'Plan of the account.', example: 'desk' });
const QuotaSchema = z.int().nullable().meta({
  description: 'Calls of a month that the plan includes; null: no quota.',
  example: 1_000_000,
});
const HardCapSchema = z.boolean().meta({
  description: 'True: calls beyond the quota are refused. False: they are counted as overage.',
  example: false,
});

export const AccountSchema = z
  .object({
    id: AccountIdSchema,
    owner_email: z.string().nullable().meta({
      description: 'Where notices about the account are mailed; null: the operator of the service gets them.',
      example: 'owner@example.com',
    }),
    plan: PlanSchema,
    quota: QuotaSchema,
    burst: z.int().meta({ description: 'Calls that may arrive at once.', example: 50 }),
    sustained: z.int().meta({ description: 'Calls per minute over all endpoints.', example: 5_000 }),
    hard_cap: HardCapSchema,
  })
  .meta({ id: 'Account', description: 'An account: who owns it, and on which terms it calls.' });
export type Account = z.infer<typeof AccountSchema>;

export const HardCapBodySchema = z.object({ hard_cap: HardCapSchema });

/** A month of the calendar, UTC. */
export const MonthSchema = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month like 2026-03')
  .meta({ description: 'A month of the calendar, in UTC; without it, the present one.', example: '2026-03' });

export const USAGE_FORMATS = ['json', 'csv'] as const;

export const UsageSchema = z
  .object({
    account: AccountIdSchema,
    month: z.string().meta({ description: 'The month, UTC.', example: '2026-03' }),
    from: TimestampSchema.meta({ description: 'When it began.', example: '2026-03-01T00:00:00.000Z' }),
    to: TimestampSchema.meta({ description: 'When it ends, not included.', example: '2026-04-01T00:00:00.000Z' }),
    plan: PlanSchema,
    quota: QuotaSchema,
    calls: z.int().meta({ description: 'Calls of the month, without those that a limit refused.', example: 1_000_012 }),
    overage: z.int().meta({ description: 'Calls beyond the quota, by the present plan.', example: 12 }),
    hard_cap: HardCapSchema,
    counted: z.boolean().meta({
      description: 'False where calls are free and not counted, as in the sandbox.',
      example: true,
    }),
  })
  .meta({ id: 'Usage', description: 'The calls of an account in a month, and how many are beyond its quota.' });
export type Usage = z.infer<typeof UsageSchema>;

const USAGE_COLUMNS = ['account', 'month', 'plan', 'quota', 'calls', 'overage', 'hard_cap', 'counted'] as const;

/** RFC 4180, with a header. No value of these columns needs quotes. */
export const usageCsv = (rows: readonly Usage[]): string =>
  [USAGE_COLUMNS, ...rows.map((row) => USAGE_COLUMNS.map((name) => row[name] ?? ''))]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('');

const KeyScopeSchema = z
  .enum(KEY_SCOPES)
  .meta({ description: 'What it may do: read, webhooks (also subscriptions), account (also keys and terms).' });

export const KeyRecordSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the key; not a secret.', example: 'key_0123456789ab' }),
    prefix: z.string().meta({ description: 'How the key begins.', example: 'svc_live_' }),
    ending: z.string().meta({ description: 'Its last four characters.', example: 'x7Qd' }),
    scope: KeyScopeSchema,
    status: z.enum(['live', 'ended', 'revoked']).meta({
      description: 'live; ended after the overlap of a rotation; or revoked.',
    }),
    created_at: TimestampSchema.meta({ description: 'When it was issued.' }),
    last_used_at: TimestampSchema.nullable().meta({
      description: 'Last request with it, or with a session of the dashboard that began with it; null: none yet.',
    }),
    expires_at: TimestampSchema.nullable().meta({
      description: 'When it ends after a rotation; null: it does not end by itself.',
      example: null,
    }),
    revoked_at: TimestampSchema.nullable().meta({ description: 'When it was revoked, or null.', example: null }),
  })
  .meta({ id: 'Key', description: 'A key of the account, without the key itself.' });
export type KeyRecord = z.infer<typeof KeyRecordSchema>;

export const IssuedKeySchema = KeyRecordSchema.extend({
  key: z.string().optional().meta({
    description: 'The key. It is shown here only, and not when a request is repeated; keep it.',
    example: 'svc_live_0123456789abcdefghijklmnopqrstuv0a1B2c',
  }),
}).meta({ id: 'IssuedKey', description: 'A key; the answer that makes it shows it, once.' });
export type IssuedKeyRecord = z.infer<typeof IssuedKeySchema>;

export const IssueKeyBodySchema = z.object({ scope: KeyScopeSchema });
export const RotateKeyBodySchema = z
  .object({
    overlap_seconds: z
      .int()
      .min(0)
      .max(OVERLAP_MOST_S)
      .optional()
      .meta({
        description: `How long the old key keeps working, at most a year; without it ${OVERLAP_DEFAULT_S}, a day.`,
        example: 3_600,
      }),
  })
  .nullish();
