/** What of the user page the address says: the section, its page, and the conversation that is read. */
import { inPlace, useAddressParams } from '../../../shared/in-place/index.ts';

export const sections = ['positions', 'ledger', 'transactions', 'orders', 'kyc', 'chats', 'audit'] as const;
export type Section = (typeof sections)[number];

export function useUserAddress() {
  const [search, setSearch] = useAddressParams();
  const named = search.get('section');
  const asked = Number(search.get('page') ?? '1');
  const page = Number.isSafeInteger(asked) && asked >= 1 && asked <= 10_000 ? asked : 1;
  const go = (change: Readonly<Record<string, string | null>>) =>
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
    /** Null: none is named, or none that there is. */
    section: sections.find((known) => known === named) ?? null,
    page,
    chatId: search.get('chat'),
    /** A section begins at its first page, with nothing of the one before in the address. */
    showSection: (section: Section) =>
      setSearch(() => new URLSearchParams({ section }), { preventScrollReset: true, state: inPlace }),
    showPage: (next: number) => {
      if (next !== page) go({ page: next === 1 ? null : `${next}` });
    },
    showChat: (id: string | null) => go({ chat: id }),
  } as const;
}
