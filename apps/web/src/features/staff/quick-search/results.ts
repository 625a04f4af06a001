/** The server's answer to the quick search. */
import type { Database } from '@fulcrum/contract/database';

export type QuickSearchResults = Database['public']['Functions']['quick_search']['Returns'];
export type FoundUser = QuickSearchResults['users'][number];
export type FoundChat = QuickSearchResults['chats'][number];
export type FoundMessage = QuickSearchResults['messages'][number];
export type FoundPosition = QuickSearchResults['positions'][number];
