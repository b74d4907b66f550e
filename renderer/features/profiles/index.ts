// Renderer, profiles: exports to other folders.
export { openDialog } from './dialog-request.ts';
export { SandboxIntro } from './intro.tsx';
export { KeyField, keySchema } from './key-field.tsx';
export { isRunning, useOpenProfile, useProfileStatus, useProfiles } from './open-profile.ts';
export { ProfileDialogs } from './profile-dialogs.tsx';
export { ProfilesMenu } from './profiles-menu.tsx';
export { StateWordsButton, useStateWords } from './state-words-button.tsx';
export { keyStorageSchema, TierChoice } from './tier-choice.tsx';
