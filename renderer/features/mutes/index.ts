// Renderer, mutes: exports to other folders.
export { MutedView } from './muted-view.tsx';
export { SilenceButton, SilenceDialog } from './silence-button.tsx';
export { MutedIcon, SilenceItems } from './silence-items.tsx';
export {
  useEndMute,
  useMuteOf,
  useMuteText,
  useSilenceChoices,
  useSilenceCoverage,
} from './use-silence.ts';
