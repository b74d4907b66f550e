// Renderer, mutes: exports to other folders.
export { MutedView } from './muted-view.tsx';
export {
  type SilenceChoice,
  useEndMute,
  useMuteOf,
  useMuteText,
  useSilenceChoices,
  useSilenceCoverage,
} from './use-silence.ts';
