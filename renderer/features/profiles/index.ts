// Renderer, profiles: exports to other folders.
export { openDialog } from './dialog-request.ts';
export { SandboxIntro } from './intro.tsx';
export { KeyField, keySchema } from './key-field.tsx';
export { isRunning, useOpenProfile, useOwnProfile, useProfileStatus, useProfiles } from './open-profile.ts';
export { folderHeading, folderLines, RestartButton, usePriceFolder } from './price-folder.tsx';
export { ProfileDialogs } from './profile-dialogs.tsx';
export { ProfilesMenu } from './profiles-menu.tsx';
export { StateWordsButton, useStateWords } from './state-words-button.tsx';
export { keyStorageSchema, TierChoice } from './tier-choice.tsx';
