/**
 * Chooses the statements to prepare by name. A text is only the shape of a query (every value is a parameter), and pages
 * repeat a few shapes; planning them once per connection saves more than half of a small read. Invariant: a name always has
 * one text. PostgreSQL stores a prepared statement until the connection ends, so only the first `namesMax` shapes that
 * repeat `usesBefore` times get a name.
 */
import { createHash } from 'node:crypto';

const namesMax = 100;
const usesBefore = 3;
/** Shapes that are counted; beyond this number counting starts again. */
const countedMax = 1000;

export function createStatementNames() {
  const names = new Map<string, string>();
  let uses = new Map<string, number>();
  return {
    /** Returns the name to prepare `text` under; undefined for a rare text. */
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
      // Derived from the text, so that two instances on one pool agree.
      const given = `rest_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`;
      names.set(text, given);
      return given;
    },
  };
}
