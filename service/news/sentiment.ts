// Service, news: scores the sentiment of a text by its words.
// Words and valences are AFINN with the additions for financial news; the score is their mean, over their
// range, with a rule for negation.
import { afinn165FinancialMarketNews as VALENCES } from 'afinn-165-financialmarketnews';
import type { NewsItem } from '../store/news.ts';

/** Largest valence of the word list. */
const MOST = 5;
/** A word that inverts the valence of the next two words. */
const TURNS = /^(not|no|never|without|cannot|neither|nor|[a-z]+n't)$/;
/** Factor of an inverted valence. */
const TURNED = -0.5;
/** Absolute scores below this are neutral. */
const NEUTRAL = 0.05;
/** Neutral words added to every text, so that one strong word in a headline is not extreme. */
const PRIOR_WORDS = 1;

/**
 * @param names names in the text, whose words do not count: Trust, Health Care
 * @returns score -1..1, two decimals, and its label
 */
export function sentimentOf(text: string, names: readonly string[] = []): Pick<NewsItem, 'score' | 'label'> {
  const remainder = names.reduce((rest, name) => rest.replaceAll(name, ' '), text);
  const words =
    remainder
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[a-z][a-z'-]*/g) ?? [];
  let sum = 0;
  let found = 0;
  for (const [index, word] of words.entries()) {
    const valence = valenceOf(word);
    if (valence === 0) continue;
    const turned = words.slice(Math.max(0, index - 2), index).some((before) => TURNS.test(before));
    sum += turned ? TURNED * valence : valence;
    found += 1;
  }
  const score = found === 0 ? 0 : Math.round((100 * sum) / (MOST * (found + PRIOR_WORDS))) / 100 + 0;
  return { score, label: score <= -NEUTRAL ? 'negative' : score >= NEUTRAL ? 'positive' : 'neutral' };
}

/** The valence of the word, or of its singular or base form. */
function valenceOf(word: string): number {
  if (Object.hasOwn(VALENCES, word)) return VALENCES[word] ?? 0;
  const base = word.replace(/(?:es|s|ed|d|ing)$/, '');
  return base.length >= 3 && base !== word && Object.hasOwn(VALENCES, base) ? (VALENCES[base] ?? 0) : 0;
}
