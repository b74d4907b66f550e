// Renderer: imported before anything that makes a schema: zod must not compile schemas with eval, which the page's policy forbids.
import { z } from 'zod';

z.config({ jitless: true });
