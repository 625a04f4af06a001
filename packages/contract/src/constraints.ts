/**
 * The user's text of a refused plain row, by the name of the violated database constraint. A constraint without an
 * entry here answers with PostgreSQL's general text.
 */
import { playbookFaults } from '@fulcrum/domain';
import { texts } from './texts.ts';

export const constraintTexts: ReadonlyMap<string, string> = new Map([
  ['journal_entries_title', texts.journalTitle],
  ['journal_entries_content', texts.journalContent],
  ['journal_entries_tags', texts.journalTags],
  ['journal_entries_position', texts.journalPosition],
  ['journal_entries_room', texts.journalFull],
  ['playbooks_name', playbookFaults.name],
  ['playbooks_criteria', playbookFaults.criteria],
  ['playbooks_room', playbookFaults.full],
  ['playbook_trades_answers', playbookFaults.answers],
  ['playbook_trades_position', playbookFaults.position],
  ['user_settings_value', texts.settingsTooLarge],
  ['canned_replies_shortcut', texts.cannedShortcut],
  ['canned_replies_content', texts.cannedContent],
  ['canned_replies_unique', texts.cannedTaken],
  ['canned_replies_room', texts.cannedFull],
  ['chat_notes_content', texts.noteContent],
  ['chat_notes_room', texts.notesFull],
]);
