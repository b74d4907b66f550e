// Pure: endpoints of an account, for its owner: keys, terms and use (extensions).
import { z } from 'zod';
import {
  AccountSchema,
  HardCapBodySchema,
  IssuedKeySchema,
  IssueKeyBodySchema,
  KeyRecordSchema,
  MonthSchema,
  RotateKeyBodySchema,
  USAGE_FORMATS,
  UsageSchema,
  usageCsv,
} from '../account.ts';
import { listOf } from '../records.ts';
import { get, idParam, nothing, page, route } from './parameters.ts';

const own = { ...get, access: 'account' } as const;
const keyId = z.object({ id: idParam(64, 'key_0123456789ab') });

export const accountRoutes = {
  account: route({
    ...own,
    path: '/account',
    summary: 'The account: its owner, plan and hard cap (extension)',
    query: nothing,
    reply: AccountSchema,
    errors: ['forbidden'],
  }),
  setHardCap: route({
    ...own,
    method: 'POST',
    path: '/account/hard-cap',
    summary: 'Sets whether calls beyond the quota are refused or counted as overage (extension)',
    query: nothing,
    body: HardCapBodySchema,
    reply: AccountSchema,
    errors: ['invalid_request', 'forbidden'],
  }),
  usage: route({
    ...get,
    path: '/account/usage',
    summary: 'Calls of the account in a month, and its overage; as JSON or CSV (extension)',
    query: z.object({
      month: MonthSchema.optional(),
      format: z
        .enum(USAGE_FORMATS)
        .default('json')
        .meta({ description: 'json, or csv: a header and one row.', example: 'json' }),
    }),
    reply: UsageSchema,
    csv: (usage) => usageCsv([usage]),
    errors: ['invalid_request'],
  }),
  keys: route({
    ...own,
    path: '/account/keys',
    summary: 'Keys of the account, newest first, also those that have ended; never the keys themselves (extension)',
    query: z.object(page),
    reply: listOf(KeyRecordSchema),
    errors: ['invalid_request', 'forbidden'],
  }),
  issueKey: route({
    ...own,
    method: 'POST',
    path: '/account/keys',
    summary: 'Issues a key and shows it, once (extension)',
    success: [201, 200],
    idempotent: true,
    query: nothing,
    body: IssueKeyBodySchema,
    reply: IssuedKeySchema,
    errors: ['invalid_request', 'forbidden'],
  }),
  rotateKey: route({
    ...own,
    method: 'POST',
    path: '/account/keys/:id/rotate',
    summary: 'Issues a key of the same scope and shows it, once; the old one ends after an overlap (extension)',
    success: [201, 200],
    idempotent: true,
    params: keyId,
    query: nothing,
    body: RotateKeyBodySchema,
    reply: IssuedKeySchema,
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
  revokeKey: route({
    ...own,
    method: 'DELETE',
    path: '/account/keys/:id',
    summary: 'Ends a key at once, with its streams and the sessions that began with it (extension)',
    params: keyId,
    query: nothing,
    reply: KeyRecordSchema,
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
} as const;
