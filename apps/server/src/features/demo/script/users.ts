/**
 * The other users of the demo, all invented. They have no password, so nobody signs in as one of them. Data only: add a row to
 * add a user.
 */
import type { UserRole } from '@fulcrum/contract';
import type { OpenScript, TradeScript } from '../pick.ts';

/** What an identity check of the user came to; `null`: none was submitted. */
type KycOutcome = 'pending' | 'approved' | 'retry' | 'final' | null;

export interface UserScript {
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly country: string;
  readonly city: string;
  readonly role: UserRole;
  readonly joinedDaysAgo: number;
  /** Hours since the last visit; null: never signed in. */
  readonly seenHoursAgo: number | null;
  /** USDT; null for staff. */
  readonly balance: number | null;
  /** Whether `manager@fulcrum.local` manages them. */
  readonly managed: boolean;
  /** How much they trade: 0 not at all, 3 the most. */
  readonly activity: 0 | 1 | 2 | 3;
  readonly kyc: KycOutcome;
}

const usernameOf = (firstName: string, lastName: string): string => `${firstName}.${lastName}`.toLowerCase();

const trader = (
  firstName: string,
  lastName: string,
  country: string,
  city: string,
  joinedDaysAgo: number,
  seenHoursAgo: number | null,
  balance: number,
  managed: 0 | 1,
  activity: UserScript['activity'],
  kyc: KycOutcome,
): UserScript => ({
  ...{ username: usernameOf(firstName, lastName), firstName, lastName, country, city, role: 'trader' },
  ...{ joinedDaysAgo, seenHoursAgo, balance, managed: managed === 1, activity, kyc },
});
const staff = (firstName: string, lastName: string, role: UserRole, seenHoursAgo: number): UserScript => ({
  ...{ username: usernameOf(firstName, lastName), firstName, lastName, role, seenHoursAgo },
  ...{ country: '', city: '', joinedDaysAgo: 59, balance: null, managed: false, activity: 0, kyc: null },
});

export const users: readonly UserScript[] = [
  staff('Harper', 'Quinn', 'manager', 6),
  staff('Miles', 'Archer', 'manager', 28),
  staff('Jonas', 'Weber', 'support', 2),
  staff('Priya', 'Nair', 'support', 21),
  trader('Amelia', 'Stone', 'United Kingdom', 'Bristol', 58, 0.4, 25000, 1, 3, 'approved'),
  trader('Noah', 'Bennett', 'Canada', 'Toronto', 57, 1, 12000, 1, 3, 'approved'),
  trader('Mia', 'Hoffmann', 'Germany', 'Leipzig', 55, 2, 8000, 1, 2, 'approved'),
  trader('Lucas', 'Moreau', 'France', 'Lyon', 54, 5, 15000, 1, 2, 'pending'),
  trader('Ava', 'Kowalska', 'Poland', 'Gdansk', 52, 3, 6000, 1, 2, 'approved'),
  trader('Ethan', 'Brooks', 'United States', 'Denver', 50, 9, 40000, 1, 3, 'approved'),
  trader('Sofia', 'Ricci', 'Italy', 'Turin', 48, 12, 5000, 1, 1, 'retry'),
  trader('Liam', 'Byrne', 'Ireland', 'Cork', 47, 26, 9000, 1, 1, null),
  trader('Chloe', 'Dubois', 'Belgium', 'Ghent', 45, 7, 20000, 1, 2, 'approved'),
  trader('Oscar', 'Lindqvist', 'Sweden', 'Uppsala', 44, 1.5, 11000, 1, 2, 'pending'),
  trader('Isla', 'Fraser', 'United Kingdom', 'Dundee', 42, 30, 3000, 1, 1, null),
  trader('Daniel', 'Ortega', 'Spain', 'Valencia', 41, 4, 18000, 0, 3, 'approved'),
  trader('Hana', 'Sato', 'Japan', 'Kobe', 40, 6, 30000, 0, 2, 'approved'),
  trader('Felix', 'Gruber', 'Austria', 'Graz', 38, 11, 7500, 0, 1, 'final'),
  trader('Grace', 'Okafor', 'Nigeria', 'Lagos', 37, 2, 10000, 0, 2, 'pending'),
  trader('Mateo', 'Silva', 'Portugal', 'Porto', 35, 15, 10000, 0, 1, 'approved'),
  trader('Ines', 'Carvalho', 'Portugal', 'Braga', 34, 52, 2000, 0, 1, null),
  trader('Jakob', 'Nielsen', 'Denmark', 'Aarhus', 33, 8, 16000, 0, 2, 'approved'),
  trader('Layla', 'Haddad', 'Jordan', 'Amman', 31, 3, 10000, 0, 1, 'pending'),
  trader('Owen', 'Pritchard', 'United Kingdom', 'Cardiff', 30, 70, 4000, 0, 0, null),
  trader('Zara', 'Khan', 'Pakistan', 'Lahore', 28, 1, 10000, 0, 2, 'retry'),
  trader('Emil', 'Novak', 'Czechia', 'Brno', 27, 18, 8500, 0, 1, 'approved'),
  trader('Freya', 'Haugen', 'Norway', 'Bergen', 25, 10, 22000, 0, 2, 'approved'),
  trader('Marco', 'Bianchi', 'Italy', 'Verona', 24, 40, 10000, 0, 1, null),
  trader('Yuna', 'Park', 'South Korea', 'Busan', 22, 2.5, 27000, 0, 3, 'approved'),
  trader('Theo', 'Laurent', 'France', 'Nantes', 20, 90, 4, 1, 0, 'final'),
  trader('Nora', 'Virtanen', 'Finland', 'Tampere', 18, 5, 10000, 0, 1, 'pending'),
  trader('Samuel', 'Mensah', 'Ghana', 'Accra', 16, 20, 10000, 0, 1, null),
  trader('Clara', 'Jansen', 'Netherlands', 'Utrecht', 14, 3.5, 14000, 0, 2, 'approved'),
  trader('Victor', 'Ionescu', 'Romania', 'Cluj', 12, 33, 6500, 0, 1, 'pending'),
  trader('Elena', 'Petrova', 'Bulgaria', 'Varna', 11, 14, 10000, 0, 1, null),
  trader('Hugo', 'Fernandez', 'Mexico', 'Puebla', 6, 1.2, 10000, 0, 0, 'pending'),
  trader('Alice', 'Morgan', 'Australia', 'Hobart', 4, 22, 10000, 0, 0, null),
  trader('Ravi', 'Menon', 'India', 'Kochi', 2, 16, 10000, 0, 0, 'pending'),
  trader('Julia', 'Santos', 'Brazil', 'Recife', 1, null, 10000, 1, 0, null),
  trader('Tom', 'Keller', 'Switzerland', 'Bern', 0.3, null, 10000, 0, 0, null),
];

/** The domain of their addresses: of this demo alone, and no mail leaves for it. */
export const emailOf = ({ username }: Pick<UserScript, 'username'>): string =>
  `${username}@demo.fulcrum.local`;

/** Days back to which their trades reach. */
export const userTradeDays = 34;

const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XAUUSD', 'NVDA', 'EUR/USD'] as const;
const results = [1.2, -1, 0.8, -0.5, 1.6, -1, 0.6, 1.1, -0.7, 2, -1, 0.9] as const;
const tradesOfActivity = [0, 5, 9, 15] as const;
const riskShare = 0.012;

const at = <Value>(list: readonly [Value, ...Value[]], index: number): Value =>
  list[index % list.length] ?? list[0];

/** The closed trades of a user: rows of the tables above, begun at another slot for each user. */
export function tradesOf(
  { activity, balance, joinedDaysAgo, username }: UserScript,
  slot: number,
): TradeScript[] {
  const days = Math.min(userTradeDays, Math.floor(joinedDaysAgo)) - 1;
  if (balance === null || days < 1) return [];
  return Array.from({ length: tradesOfActivity[activity] }, (_, index) => {
    const number = slot * 5 + index;
    return {
      key: `${username} ${index}`,
      symbol: at(symbols, number),
      daysAgo: 1 + ((index * 7 + slot) % days),
      hour: 8 + ((number * 3) % 10),
      leverage: number % 37 === 11 ? 100 : at([5, 10, 20, 25, 3], number),
      risk: Math.round(balance * riskShare),
      r: at(results, number),
      liquidated: number % 37 === 11,
      hold: 4 + (number % 9),
    };
  });
}

/** What a user has open now. */
export function openOf({ activity, balance }: UserScript, slot: number): OpenScript[] {
  if (balance === null || activity === 0) return [];
  const count = activity === 3 ? 2 : activity === 2 || slot % 3 === 0 ? 1 : 0;
  return Array.from({ length: count }, (_, index) => {
    const number = slot + index * 3;
    const side = number % 3 === 1 ? 'SELL' : 'BUY';
    return {
      symbol: at(symbols, number),
      side,
      leverage: at([5, 10, 20, 3], number),
      margin: Math.round(balance * 0.07),
      hours: 48,
      stop: number % 2 === 0 ? 0.03 : null,
      target: number % 4 === 1 ? 0.05 : null,
      move: at([0.004, -0.006, 0.011, -0.002], number),
    };
  });
}
