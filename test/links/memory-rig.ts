// Test: the link in memory.
import { createMemoryLink } from '../../shared/channels/memory-link.ts';
import { type LinkRig, TestCore } from './rig.ts';

export async function memoryRig(): Promise<LinkRig> {
  const core = new TestCore();
  const link = createMemoryLink(core.dispatch);
  const detach = core.attach(link.core);
  return {
    core,
    window: link.window,
    cut: async () => link.setUp(false),
    restore: async () => link.setUp(true),
    strangers: [],
    close: async () => detach(),
  };
}
