/**
 * Unsent input, for the page's life: it outlives the component it was typed in, and is removed with the user's session. Input
 * that must survive a reload belongs in the storage. Limit: the latest `draftsMax` of each kind.
 */
import { onUserGone } from '../session/index.ts';

export const draftsMax = 50;

/** Creates the drafts of one kind, by the id of their subject. Call it once per module. */
export function createDrafts<Draft>() {
  const drafts = new Map<string, Draft>();
  onUserGone(() => drafts.clear());
  return {
    get: (id: string) => drafts.get(id),
    set: (id: string, draft: Draft) => {
      drafts.delete(id);
      drafts.set(id, draft);
      const [oldest] = drafts.keys();
      if (drafts.size > draftsMax && oldest !== undefined) drafts.delete(oldest);
    },
    delete: (id: string) => drafts.delete(id),
  };
}
