/**
 * Every table of `/rest/v1`, declared once. An undeclared table, column, row or write does not exist for a client.
 * The server reads the view `api.<name>`, which has exactly these columns.
 */

import { tradingAccounts } from './accounts.ts';
import { alerts } from './alerts.ts';
import { auditLog, ledgerEntries } from './append-only.ts';
import { contactForms } from './contact.ts';
import { journalEntries, playbooks, playbookTrades } from './journal.ts';
import { kycVerifications } from './kyc.ts';
import { favorites, tradingPairs } from './market.ts';
import {
  cannedReplies,
  chatMentions,
  chatMessages,
  chatNotes,
  chatSessions,
  chatTriage,
  supportDetails,
  supportMetrics,
} from './support.ts';
import type { Table } from './table.ts';
import {
  equitySnapshots,
  executions,
  notifications,
  orders,
  positions,
  symbolLeverages,
  transactions,
  wallets,
} from './trading.ts';
import { userSettings } from './user-settings.ts';
import { users } from './users.ts';

export * from './accounts.ts';
export * from './alerts.ts';
export * from './append-only.ts';
export * from './contact.ts';
export * from './journal.ts';
export * from './kyc.ts';
export * from './market.ts';
export * from './support.ts';
export * from './table.ts';
export * from './trading.ts';
export * from './user-settings.ts';
export * from './users.ts';

export const tables = [
  users,
  tradingAccounts,
  wallets,
  positions,
  orders,
  transactions,
  notifications,
  alerts,
  equitySnapshots,
  executions,
  symbolLeverages,
  tradingPairs,
  favorites,
  userSettings,
  journalEntries,
  playbookTrades,
  playbooks,
  kycVerifications,
  chatSessions,
  chatMessages,
  chatNotes,
  chatTriage,
  chatMentions,
  cannedReplies,
  supportDetails,
  supportMetrics,
  contactForms,
  ledgerEntries,
  auditLog,
] as const;
export type TableName = (typeof tables)[number]['name'];
export const tableByName: ReadonlyMap<string, Table> = new Map(tables.map((table) => [table.name, table]));
