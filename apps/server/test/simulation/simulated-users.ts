/** The users of a scenario and their accounts, in the store and for the auditor. */
import { asFeeRate, asMoney, MAX_LEVERAGE } from '@fulcrum/domain';
import type { Auditor } from './auditor.ts';
import { admin, manager, otherAccountId, traderId } from './clients.ts';
import type { OpenedAccount } from './ledger-book.ts';
import { toLimits } from './locked-accounts.ts';
import type { SimulatedMarket } from './market.ts';
import type { MemoryDatabase } from './memory-database.ts';
import type { Scenario } from './scenario.ts';

const firstDeposit = 1_000_000_000_000n;
/** 2026-11-21T00:00:00Z. */
export const firstInstant = 1_795_219_200_000;

export interface UsersSetting {
  readonly database: MemoryDatabase;
  readonly market: SimulatedMarket;
  readonly auditor: Auditor;
  /** Gets all of them. */
  readonly accountIds: string[];
}

export function addUsers(scenario: Scenario, setting: UsersSetting): void {
  const { database, market, auditor } = setting;
  database.addUser({ id: admin, role: 'admin', managerId: null, restricted: false });
  database.addUser({ id: manager, role: 'manager', managerId: null, restricted: false });
  const { traders, others, rules, feeRate } = scenario;
  for (let number = 0; number < traders; number += 1) {
    const id = traderId(number);
    database.addUser({ id, role: 'trader', managerId: manager, restricted: false });
    // The last of several starts without a wallet, as RULE-26 has it.
    const deposit = number === 2 ? 0n : firstDeposit;
    openAccount(setting, {
      accountId: id,
      ownerId: id,
      deposit,
      terms: { rules, feeRate, leverageMax: MAX_LEVERAGE },
    });
  }
  for (const [place, { trader, startBalance: deposit, limits, ...terms }] of others.entries()) {
    const [accountId, ownerId] = [otherAccountId(trader, place + 1), traderId(trader)];
    const fillProfile = terms.rules === 'perpetual' ? 'pro' : 'exact';
    const feeRate = asFeeRate(terms.feeRate);
    const locked = limits && toLimits(limits, market.pairs, asMoney(deposit), firstInstant);
    const stored = { ...terms, feeRate, fillProfile, limits: locked?.stored ?? null } as const;
    database.addAccount(accountId, { ownerId, terms: stored, isArchived: false });
    const audited = { ...terms, fillProfile, limits: locked?.audited ?? null };
    openAccount(setting, { accountId, ownerId, deposit, terms: audited });
    if (limits?.step) auditor.challenges.begin(accountId, firstInstant);
  }
}

function openAccount({ database, auditor, accountIds }: UsersSetting, opened: OpenedAccount): void {
  const { accountId, deposit } = opened;
  const { wallets, ledger, transactions } = database;
  accountIds.push(accountId);
  auditor.addAccount(opened);
  if (deposit === 0n) return;
  const group = `first deposit of ${accountId}`;
  const opening = { kind: 'deposit', batchId: 'none', at: firstInstant } as const;
  const row = { ...opening, groupId: group, sourceId: group };
  database.snapshots.push({ accountId, at: firstInstant, equity: deposit });
  auditor.accountOf(accountId)?.snapshots.push({ at: firstInstant, equity: deposit });
  ledger.push({ ...row, account: 'user:cash', accountId, amount: deposit as never });
  ledger.push({ ...row, account: 'external', accountId: null, amount: -deposit as never });
  const line = { type: 'deposit', amount: deposit, description: 'Initial balance' } as const;
  transactions.set(group, { id: group, ...line, accountId });
  const amounts = { available: deposit as never, margin: 0n as never, orderMargin: 0n as never };
  wallets.set(accountId, { id: `wallet of ${accountId}`, accountId, version: 1, ...amounts });
}
