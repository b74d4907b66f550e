// TypeScript SDK: the entry of the package barograph-client: the client without the table of its schemas, which are zod's.
export type * from '../../client/index.ts';
export { connect, isSignalEvent, ServiceError, verifyWebhook } from '../../client/index.ts';
