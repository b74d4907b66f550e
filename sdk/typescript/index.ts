// TypeScript SDK: the entry of barograph-client: the client without the table of zod schemas.
export type * from '../../client/index.ts';
export { connect, isSignalEvent, ServiceError, verifyWebhook } from '../../client/index.ts';
