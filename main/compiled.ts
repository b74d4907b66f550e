// Main: what runs from its sources is stripped of its types and compiled once, not at every start; what came of it is kept in dist/.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** To be called in every thread, before it loads what it is for. What is built needs none of it. Where nothing can be written, nothing is kept. */
export function keepCompiled(): void {
  // Not in the folder of all users that Node would take: what lies there is run.
  if (import.meta.filename.endsWith('.ts')) enableCompileCache(join(import.meta.dirname, '..', 'dist', 'compiled'));
}
