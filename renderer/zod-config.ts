// Renderer: configures zod before any schema exists: no eval, which the page's policy forbids.
import { config } from 'zod';

config({ jitless: true });
