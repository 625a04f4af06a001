/** The state of the user page in the URL: section, page and open conversation. */
import { defineUrlState, optionalField, pageField, useUrlState } from '../../../shared/url-state/index.ts';

export const sections = ['positions', 'ledger', 'transactions', 'orders', 'kyc', 'chats', 'audit'] as const;
export type Section = (typeof sections)[number];

const userUrlState = defineUrlState({
  /** Null when the URL names no known section. */
  section: optionalField((text) => sections.find((known) => known === text) ?? null),
  page: pageField(),
  chat: optionalField((id) => id),
});

export function useUserUrlState() {
  const [{ section, page, chat }, change] = useUrlState(userUrlState);
  return {
    section,
    page,
    chatId: chat,
    /** Opens a section at its first page and removes the parameters of the previous one, but not the account. */
    showSection: (next: Section) =>
      change({ section: next }, { step: 'new', removes: (parameter) => parameter !== 'account' }),
    showPage: (next: number) => change({ page: next }, { step: 'new' }),
    showChat: (id: string | null) => change({ chat: id }, { step: 'new' }),
  } as const;
}
