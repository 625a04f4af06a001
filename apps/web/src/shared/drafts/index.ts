/**
 * What a person began and has not sent, for the page's life: it outlives the part of the screen it was written on, and goes
 * with the person. For what must also outlive a reload there is the storage. Limit: the latest `mostDrafts` of each kind.
 */
import { onPersonGone } from '../session/index.ts';

export const mostDrafts = 50;

export interface Drafts<Draft> {
  readonly get: (id: string) => Draft | undefined;
  readonly keep: (id: string, draft: Draft) => void;
  readonly drop: (id: string) => void;
}

/** One kind of draft, by the id of what each is about. To be called once per module. */
export function createDrafts<Draft>(): Drafts<Draft> {
  const drafts = new Map<string, Draft>();
  onPersonGone(() => drafts.clear());
  return {
    get: (id) => drafts.get(id),
    keep: (id, draft) => {
      drafts.delete(id);
      drafts.set(id, draft);
      const [oldest] = drafts.keys();
      if (drafts.size > mostDrafts && oldest !== undefined) drafts.delete(oldest);
    },
    drop: (id) => {
      drafts.delete(id);
    },
  };
}
