// Renderer, profiles, pure: the schema of the name of a new profile.
import { ProfileNameSchema } from '../../../shared/settings/profiles.ts';
import { profileText } from '../../text/profiles.ts';
import { checkText } from '../../ui/form/schemas.ts';

export const profileNameSchema = (taken: readonly string[]) =>
  checkText((name) => {
    if (taken.includes(name)) return profileText.key.nameTaken(name);
    return ProfileNameSchema.safeParse(name).success ? null : profileText.key.nameForm;
  });
