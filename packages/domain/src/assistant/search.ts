/**
 * Search over short passages: BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009) on stems of terms, where the
 * title counts three times. Pure. Invariant: a query whose terms are mostly unknown finds nothing.
 */

export interface Passage {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Further terms that users search it by. */
  readonly terms?: string;
}

export interface SearchHit<P> {
  readonly passage: P;
  readonly score: number;
}

const saturation = 1.2;
const lengthWeight = 0.75;
const titleWeight = 3;
/** Share of the query's weight that a hit has to cover, and the weight of a term that no passage has. */
const coverageMin = 0.5;
const unknownWeight = 2;

const stopTerms = new Set(
  `a an and are as at be been by can could did do does for from had has have how i if in into is it its me my of on or our
   please should so than that the their them then there these they this to was we were what whats when where which who why will with
   would you your mean means work works happen happens explain define need use using`.split(/\s+/),
);

const synonyms: Readonly<Record<string, string>> = {
  sl: 'stop',
  tp: 'profit',
  pnl: 'result',
  commission: 'fee',
  cost: 'fee',
  mistake: 'habit',
  leveraged: 'leverage',
  delete: 'remove',
  signin: 'login',
  app: 'install',
  smartphone: 'phone',
  mobile: 'phone',
};

/** A light stem: plurals, the usual endings, and doubled consonants. */
function stemOf(term: string): string {
  const bare =
    term.length <= 4
      ? term.replace(/([^s])s$/, '$1')
      : term.replace(/(ations?|ated|ates?|ating)$/, 'at').replace(/(ing|ed|es|s)$/, '');
  return bare.length <= 3 ? bare : bare.replace(/([^aeiou])\1$/, '$1').replace(/e$/, '');
}

function termsOf(text: string): readonly string[] {
  const plain = text.toLowerCase().normalize('NFKC').replaceAll(/['’]/g, '');
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((term) => !stopTerms.has(term))
    .map((term) => stemOf(synonyms[term] ?? term));
}

export function createSearch<P extends Passage>(passages: readonly P[]) {
  const documents = passages.map((passage) => {
    const counts = new Map<string, number>();
    const add = (text: string, weight: number) => {
      for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + weight);
    };
    add(passage.title, titleWeight);
    add(passage.terms ?? '', titleWeight);
    add(passage.text, 1);
    return { passage, counts, length: [...counts.values()].reduce((sum, count) => sum + count, 0) };
  });
  const averageLength =
    documents.reduce((sum, { length }) => sum + length, 0) / Math.max(documents.length, 1);
  const weightOf = (term: string): number => {
    const holders = documents.filter(({ counts }) => counts.has(term)).length;
    if (holders === 0) return unknownWeight;
    return Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
  };

  /** The best hits first, at most `most`; equal ones in the order of the passages. */
  return function search(query: string, most: number): readonly SearchHit<P>[] {
    const terms = [...new Set(termsOf(query))].map((term) => ({ term, weight: weightOf(term) }));
    const whole = terms.reduce((sum, { weight }) => sum + weight, 0);
    return documents
      .flatMap(({ passage, counts, length }) => {
        let [score, covered] = [0, 0];
        for (const { term, weight } of terms) {
          const count = counts.get(term) ?? 0;
          if (count === 0) continue;
          covered += weight;
          const damping = saturation * (1 - lengthWeight + (lengthWeight * length) / averageLength);
          score += (weight * count * (saturation + 1)) / (count + damping);
        }
        return covered > 0 && covered >= whole * coverageMin ? [{ passage, score }] : [];
      })
      .sort((one, other) => other.score - one.score)
      .slice(0, most);
  };
}
