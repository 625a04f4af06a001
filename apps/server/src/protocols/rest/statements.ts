/**
 * Which statements are prepared by name. A text says only the shape of a query (every value is a parameter), and a page
 * asks for the same few shapes all day; planning them once per connection saves more than half of a small read.
 * Invariant: a name always stands for one text. PostgreSQL keeps what is prepared until the connection ends, so only the
 * first `namesMax` shapes that came back `usesBefore` times get a name; every other one is planned each time.
 */
import { createHash } from 'node:crypto';

const namesMax = 100;
const usesBefore = 3;
/** Shapes that are counted; beyond them counting starts again. */
const countedMax = 1000;

export function createStatementNames() {
  const names = new Map<string, string>();
  let uses = new Map<string, number>();
  return {
    /** The name under which `text` is to be prepared; undefined for one that is not worth it (yet). */
    nameOf(text: string): string | undefined {
      const name = names.get(text);
      if (name !== undefined || names.size >= namesMax) return name;
      const used = (uses.get(text) ?? 0) + 1;
      if (used <= usesBefore) {
        if (uses.size >= countedMax) uses = new Map();
        uses.set(text, used);
        return undefined;
      }
      uses.delete(text);
      // By its text, so that two lists of names on one pool cannot disagree.
      const given = `rest_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`;
      names.set(text, given);
      return given;
    },
  };
}
