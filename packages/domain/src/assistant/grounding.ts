/**
 * Checks that a sentence states no figure that its sources do not have (A115). Pure. A figure is *grounded* when a source has the same
 * one to the digits shown, with the same sign and the same unit. Invariant: a sentence that cannot be read passes no check.
 *
 * Known limitations: a grounded figure may stand in a wrong sentence, so the facts are shown beside it; names of numbers and the terms
 * for gain and loss are English, and a sentence in another script is refused.
 */
import { type Figure, figuresOf, type NumberFigure, normaliseText, numberNames } from './figures.ts';

/** Why a sentence is not shown. */
export type SentenceFault = 'figure' | 'direction' | 'ratio' | 'link' | 'script' | 'length';

export const sentenceLengthMax = 600;

const significantDigitsMin = 3;
/** A longer text in another language is refused: its number names are not known. */
const lengthOfAnyLanguageMax = 8;
/** Terms of English and of no other language in Latin script that a model writes. */
const english =
  /\b(the|and|you|your|this|that|these|those|with|from|when|what|which|where|are|were|than|because|should|would)\b/i;
/** Other frequent ones, which some languages share. */
const frequent = new Set([
  ...numberNames,
  ...'a an is was be been it its of to in on at for or not no if by as have has had can will do does how so but'.split(
    ' ',
  ),
]);
const termsOf = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

const links = /https?:|www\.|\]\(|<\/?[a-z!]|javascript:|data:[a-z]/i;
/** Figures that another form of the text would change or hide: superscripts, circled ones, keycaps and pictures. */
const disguised = /[\p{No}\u{1F4AF}\u{1F51F}]|\u{20E3}/u;
/** Controls, zero-width and bidirectional characters, and private ones. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u;
/** A letter of another script: some have numerals of their own, others imitate Latin. */
const foreignScript = /(?!\p{Script=Latin})\p{L}/u;
/** A share or a multiple without a digit. */
const ratios =
  /\b(half|halves|halved|quarters?|thirds|fourths|fifths|sixths|sevenths|eighths|ninths|tenths|hundredths|percentile|(?:a|one) (?:third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|hundredth)|(?:two|three|four|five|six|seven|eight|nine|ten|several|many) times|double[ds]?|doubling|twice|thrice|triple[ds]?|tripling|quadruple[ds]?|[a-z]+fold|majority|most of your|all of your)\b/gi;

const lossTerms =
  /\b(loss|losses|lose|losing|lost|down|negative|minus|cost|costs|costing|below|decline[ds]?|drop|dropped|fell|worst|paid|pay|costliest)\b/i;
const gainTerms =
  /\b(gain|gains|gained|profit|profits|profitable|earned|earn|won|up|positive|plus|made|best|grew|received|increase[ds]?)\b/i;

const negations = /\b(no|not|never|without|instead|neither|nor|cannot)\b|n't\b/i;

/** Whether `stated` is `fact` to the digits shown: the same number, or its rounding to three significant digits or more. */
function isSameNumber(stated: NumberFigure, fact: NumberFigure): boolean {
  const finer = stated.decimals - fact.decimals;
  if (finer >= 0) return fact.digits * 10n ** BigInt(finer) === stated.digits;
  const scale = 10n ** BigInt(-finer);
  const rounded = (fact.digits + scale / 2n) / scale;
  return (
    rounded === stated.digits && stated.digits.toString().length >= significantDigitsMin && stated.digits > 0n
  );
}

const hasUnit = (stated: NumberFigure, fact: NumberFigure): boolean =>
  stated.unit === null || stated.unit === fact.unit;

/** What a sentence states of the direction of its figures. */
interface Direction {
  readonly loses: boolean;
  readonly gains: boolean;
  /** Which may turn either round. */
  readonly negates: boolean;
}

const directionOf = (sentence: string): Direction => ({
  loses: lossTerms.test(sentence),
  gains: gainTerms.test(sentence),
  negates: negations.test(sentence),
});

/** A figure without a sign needs a sentence of the fact's direction; one with a sign needs the same sign. */
function hasSign(stated: NumberFigure, fact: NumberFigure, { loses, gains, negates }: Direction): boolean {
  if (stated.sign === '-') return fact.sign === '-';
  if (stated.sign === '+') return fact.sign !== '-' && !loses;
  if (fact.sign === null) return true;
  if (negates) return false;
  return fact.sign === '-' ? loses && !gains : gains && !loses;
}

/** What sentences may state. */
export interface Grounding {
  /** Why the sentence is not shown; null: it is grounded. */
  faultOf(sentence: string): SentenceFault | null;
}

/** @param sources the facts and passages, as they are shown */
export function createGrounding(sources: readonly string[]): Grounding {
  const known = sources.flatMap((source) => figuresOf(source));
  const numbers = known.filter((figure) => figure.kind === 'number');
  const texts = new Set(
    known.flatMap((figure) => (figure.kind === 'number' ? [] : [`${figure.kind} ${figure.text}`])),
  );
  const knownRatios = new Set(sources.flatMap((source) => ratiosOf(source)));
  const knownTerms = new Set(sources.flatMap((source) => termsOf(normaliseText(source))));
  /** Without a term of English alone, at least half of the terms are frequent ones or those of the sources. */
  const isEnglish = (text: string): boolean => {
    const terms = termsOf(text);
    if (english.test(text) || terms.join('').length <= lengthOfAnyLanguageMax) return true;
    return terms.filter((term) => frequent.has(term) || knownTerms.has(term)).length * 2 >= terms.length;
  };

  const faultOfFigure = (figure: Figure, direction: Direction): SentenceFault | null => {
    if (figure.kind === 'unreadable') return 'figure';
    if (figure.kind !== 'number') return isKnownText(figure) ? null : 'figure';
    const same = numbers.filter((fact) => hasUnit(figure, fact) && isSameNumber(figure, fact));
    if (same.length === 0) return 'figure';
    return same.some((fact) => hasSign(figure, fact, direction)) ? null : 'direction';
  };
  /** A date without a year is that of a known date. */
  const isKnownText = ({ kind, text }: Exclude<Figure, NumberFigure>): boolean =>
    texts.has(`${kind} ${text}`) ||
    (kind === 'date' &&
      text.startsWith('--') &&
      [...texts].some((one) => one.startsWith('date ') && one.endsWith(text.slice(1))));

  return {
    faultOf(sentence) {
      if (sentence.length > sentenceLengthMax) return 'length';
      if (hidden.test(sentence)) return 'script';
      if (disguised.test(sentence)) return 'figure';
      const text = normaliseText(sentence);
      if (foreignScript.test(text)) return 'script';
      if (links.test(text)) return 'link';
      if (ratiosOf(text).some((ratio) => !knownRatios.has(ratio))) return 'ratio';
      if (!isEnglish(text)) return 'script';
      const direction = directionOf(text);
      for (const figure of figuresOf(sentence)) {
        const fault = faultOfFigure(figure, direction);
        if (fault !== null) return fault;
      }
      return null;
    },
  };
}

const ratiosOf = (text: string): readonly string[] =>
  [...normaliseText(text).matchAll(ratios)].map(([ratio]) => ratio.toLowerCase());
