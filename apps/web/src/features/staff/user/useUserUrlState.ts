/** The state of the user page in the URL: section, page and open conversation. */
import { inPlace, useUrlParams } from '../../../shared/url-state/index.ts';

export const sections = ['positions', 'ledger', 'transactions', 'orders', 'kyc', 'chats', 'audit'] as const;
export type Section = (typeof sections)[number];

export function useUserUrlState() {
  const [search, setSearch] = useUrlParams();
  const sectionParameter = search.get('section');
  const pageParameter = Number(search.get('page') ?? '1');
  const page =
    Number.isSafeInteger(pageParameter) && pageParameter >= 1 && pageParameter <= 10_000 ? pageParameter : 1;
  const setParameters = (change: Readonly<Record<string, string | null>>) =>
    setSearch(
      (held) => {
        for (const [name, value] of Object.entries(change)) {
          if (value === null) held.delete(name);
          else held.set(name, value);
        }
        return held;
      },
      { preventScrollReset: true, state: inPlace },
    );
  return {
    /** Null when the URL names no known section. */
    section: sections.find((known) => known === sectionParameter) ?? null,
    page,
    chatId: search.get('chat'),
    /** Opens a section at its first page and removes the parameters of the previous one. */
    showSection: (section: Section) =>
      setSearch(() => new URLSearchParams({ section }), { preventScrollReset: true, state: inPlace }),
    showPage: (next: number) => {
      if (next !== page) setParameters({ page: next === 1 ? null : `${next}` });
    },
    showChat: (id: string | null) => setParameters({ chat: id }),
  } as const;
}
