// Renderer, profiles, pure: the schema of the name of a new profile.
import { ProfileNameSchema } from '../../../shared/settings/profiles.ts';

import { texts } from '../../../shared/text/texts.ts';
import { checkText } from '../../ui/form/schemas.ts';

export const profileNameSchema = (taken: readonly string[]) =>
  checkText((name) => {
    if (taken.includes(name)) return texts.addKey.nameTaken(name);
    return ProfileNameSchema.safeParse(name).success ? null : texts.addKey.nameForm;
  });
