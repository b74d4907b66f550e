// Pure: every text of the window, the tray and notifications, in the language of the user.
// A second language is a second object of type Texts, beside `en`.
import { en } from './en/en.ts';

type Translated<Text> = Text extends string
  ? string
  : Text extends (...values: infer Values) => infer Result
    ? (...values: Values) => Translated<Result>
    : { readonly [Name in keyof Text]: Translated<Text[Name]> };

/** What a language provides: every text of English, and functions of the same values. */
export type Texts = Translated<typeof en>;

export const texts: Texts = en;
