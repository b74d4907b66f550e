// Renderer, profiles: the front door.
export { sendFor } from './errand.ts';
export { SandboxIntro } from './intro.tsx';
export { KeyField, whyNotKey } from './key-field.tsx';
export { useOpenProfile, useProfiles } from './open-profile.ts';
export { ProfileDialogs } from './profile-dialogs.tsx';
export { ProfilesMenu } from './profiles-menu.tsx';
export { type Keeping, passphraseOf, TierChoice, whyNotKept } from './tier-choice.tsx';
