// After `npm install`: removes the C headers of the package `node`: 67 MB that nothing here compiles against.
// It is JavaScript without packages, for whichever Node runs npm.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', 'node_modules', 'node', 'node_modules');
try {
  for (const name of readdirSync(folder)) rmSync(join(folder, name, 'include'), { recursive: true, force: true });
} catch {
  // The package keeps its files elsewhere, or they belong to another user: what is left does no harm.
}
