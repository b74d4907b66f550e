// Renderer: configures zod before any schema exists: no eval, which the page's policy forbids.
import { z } from 'zod';

z.config({ jitless: true });
