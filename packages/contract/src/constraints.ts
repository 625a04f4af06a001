/**
 * What a plain row's refusal says to the user, by the name of the database's constraint that refused it. A constraint without
 * a text here answers in PostgreSQL's general words.
 */
import { texts } from './texts.ts';

export const constraintTexts: ReadonlyMap<string, string> = new Map([
  ['journal_entries_title', texts.journalTitle],
  ['journal_entries_content', texts.journalContent],
  ['journal_entries_tags', texts.journalTags],
  ['journal_entries_position', texts.journalPosition],
  ['journal_entries_room', texts.journalRoom],
  ['canned_replies_shortcut', texts.cannedShortcut],
  ['canned_replies_content', texts.cannedContent],
  ['canned_replies_unique', texts.cannedTaken],
  ['canned_replies_room', texts.cannedRoom],
  ['chat_notes_content', texts.noteContent],
  ['chat_notes_room', texts.noteRoom],
]);
