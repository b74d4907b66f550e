// Pure: every text of the window, the tray and notifications, in the language of the user.
// A second language is a second module of type Texts, beside `en`.
// A namespace: the window's bundler drops what a page does not name. So name an area whole (`texts.time`).
import type * as en from './en/en.ts';

export * as texts from './en/en.ts';

type Translated<Text> = Text extends string
  ? string
  : Text extends (...values: infer Values) => infer Result
    ? (...values: Values) => Translated<Result>
    : { readonly [Name in keyof Text]: Translated<Text[Name]> };

/** The texts of a language: those of English, and functions with the same parameters. */
export type Texts = Translated<typeof en>;
