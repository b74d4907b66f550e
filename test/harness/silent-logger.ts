// Test harness: a logger that keeps nothing.
import type { Logger } from '../../main/core/ports.ts';

const nothing = (): void => undefined;
export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
