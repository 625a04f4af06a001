/**
 * The economic series of the calendar: names, places and hours as their offices publish them, and typical values of quiet
 * years. Hours are of the office's own clock. The figures of publications are generated.
 */
export type Zone =
  | 'America/New_York'
  | 'Europe/London'
  | 'Europe/Berlin'
  | 'Asia/Tokyo'
  | 'Asia/Shanghai'
  | 'Australia/Sydney'
  | 'Pacific/Auckland';

/** Weekdays count from Monday, 1; `nth` is the week of the month, `months` those of the year, left out: all. */
export type Schedule =
  | { readonly every: 'week'; readonly weekday: number }
  | {
      readonly every: 'month';
      readonly nth: 1 | 2 | 3 | 4;
      readonly weekday: number;
      readonly months?: readonly number[];
    };

/** `change` is signed in per cent, `rate` a level in per cent, `policy` a central bank's own rate, `speech` has no figure. */
export type Kind = 'change' | 'rate' | 'index' | 'count' | 'balance' | 'policy' | 'speech';

export interface Indicator {
  readonly id: string;
  readonly country: string;
  readonly title: string;
  /** Within a sentence. */
  readonly spoken: string;
  /** Common short name. */
  readonly tag?: string;
  readonly impact: 'high' | 'medium' | 'low';
  readonly kind: Kind;
  readonly zone: Zone;
  readonly time: string;
  readonly schedule: Schedule;
  readonly base: number;
  /** How far it strays from `base`. */
  readonly spread: number;
  readonly decimals: number;
  readonly unit: '%' | 'K' | 'M' | 'B' | 'T' | '';
}

type Office = readonly [country: string, zone: Zone];
const us: Office = ['US', 'America/New_York'];
const eu: Office = ['EU', 'Europe/Berlin'];
const de: Office = ['DE', 'Europe/Berlin'];
const fr: Office = ['FR', 'Europe/Berlin'];
const gb: Office = ['GB', 'Europe/London'];
const jp: Office = ['JP', 'Asia/Tokyo'];
const cn: Office = ['CN', 'Asia/Shanghai'];
const au: Office = ['AU', 'Australia/Sydney'];
const nz: Office = ['NZ', 'Pacific/Auckland'];
const ca: Office = ['CA', 'America/New_York'];
const ch: Office = ['CH', 'Europe/Berlin'];

const weekly = (weekday: number): Schedule => ({ every: 'week', weekday });
const monthly = (nth: 1 | 2 | 3 | 4, weekday: number): Schedule => ({ every: 'month', nth, weekday });
const inMonths = (months: readonly number[], nth: 1 | 2 | 3 | 4, weekday: number): Schedule => ({
  every: 'month',
  nth,
  weekday,
  months,
});
const quarters = [1, 4, 7, 10];
const fedMeetings = [1, 3, 5, 6, 7, 9, 11, 12];
const fedMinutes = [1, 2, 4, 6, 7, 8, 10, 12];
const ecbMeetings = [1, 3, 4, 6, 7, 9, 10, 12];
const boeMeetings = [2, 3, 5, 6, 8, 9, 11, 12];
const bojMeetings = [1, 3, 5, 6, 7, 9, 10, 12];
const rbaMeetings = [2, 3, 5, 7, 8, 9, 11, 12];

type Row = readonly [
  place: Office,
  time: string,
  schedule: Schedule,
  impact: Indicator['impact'],
  title: string,
  spoken: string,
  kind: Kind,
  base: number,
  spread: number,
  decimals: number,
  unit: Indicator['unit'],
  tag?: string,
];

// biome-ignore format: a table is read by its columns
const rows: readonly Row[] = [
  [us, '08:30', monthly(1, 5),               'high',   'Nonfarm Payrolls',          'US nonfarm payrolls',            'count',     135,   70, 0, 'K', 'NFP'],
  [us, '08:30', monthly(1, 5),               'high',   'Unemployment Rate',         'US unemployment rate',           'rate',      4.3,  0.2, 1, '%', 'jobs'],
  [us, '08:30', monthly(1, 5),               'medium', 'Hourly Earnings m/m',       'US hourly earnings',             'change',    0.3,  0.1, 1, '%'],
  [us, '08:15', monthly(1, 3),               'medium', 'ADP Employment Change',     'ADP payrolls',                   'count',      95,   55, 0, 'K', 'jobs'],
  [us, '10:00', monthly(1, 2),               'medium', 'JOLTS Job Openings',        'US job openings',                'count',     7.2, 0.25, 2, 'M', 'jobs'],
  [us, '10:00', monthly(1, 1),               'high',   'ISM Manufacturing PMI',     'ISM manufacturing index',        'index',    49.2,  1.1, 1, '',  'ISM'],
  [us, '10:00', monthly(1, 3),               'high',   'ISM Services PMI',          'ISM services index',             'index',      52,  1.2, 1, '',  'ISM'],
  [us, '08:30', monthly(2, 3),               'high',   'CPI y/y',                   'US consumer inflation',          'rate',      2.8,  0.2, 1, '%', 'CPI'],
  [us, '08:30', monthly(2, 3),               'high',   'Core CPI m/m',              'US core consumer prices',        'change',    0.3,  0.1, 1, '%', 'CPI'],
  [us, '08:30', monthly(2, 4),               'medium', 'PPI m/m',                   'US producer prices',             'change',    0.2,  0.2, 1, '%', 'PPI'],
  [us, '08:30', monthly(3, 2),               'high',   'Retail Sales m/m',          'US retail sales',                'change',    0.3,  0.4, 1, '%', 'RetailSales'],
  [us, '09:15', monthly(3, 3),               'low',    'Industrial Production m/m', 'US industrial output',           'change',    0.1,  0.3, 1, '%'],
  [us, '08:30', monthly(3, 1),               'low',    'Empire State Index',        'Empire State index',             'index',       2,    8, 1, ''],
  [us, '08:30', monthly(3, 4),               'low',    'Philly Fed Index',          'Philadelphia Fed index',         'index',       3,    9, 1, ''],
  [us, '08:30', monthly(3, 3),               'medium', 'Housing Starts',            'US housing starts',              'count',    1.36, 0.06, 2, 'M'],
  [us, '10:00', monthly(3, 5),               'medium', 'Existing Home Sales',       'US existing home sales',         'count',    4.05, 0.12, 2, 'M'],
  [us, '10:00', monthly(4, 2),               'medium', 'New Home Sales',            'US new home sales',              'count',    0.69, 0.04, 2, 'M'],
  [us, '10:00', monthly(4, 2),               'high',   'CB Consumer Confidence',    'US consumer confidence',         'index',      97,  3.2, 1, ''],
  [us, '10:00', monthly(2, 5),               'medium', 'UoM Sentiment, prelim.',    'Michigan consumer sentiment',    'index',      60,  3.5, 1, ''],
  [us, '08:30', monthly(4, 3),               'medium', 'Durable Goods m/m',         'US durable goods orders',        'change',    0.3,  1.6, 1, '%'],
  [us, '08:30', monthly(4, 5),               'high',   'Core PCE Price Index m/m',  'US core PCE prices',             'change',    0.2,  0.1, 1, '%', 'PCE'],
  [us, '08:30', inMonths(quarters, 4, 4),    'high',   'GDP q/q, annualised',       'US GDP growth',                  'rate',      2.2,  0.8, 1, '%', 'GDP'],
  [us, '14:00', inMonths(fedMeetings, 3, 3), 'high',   'Fed Rate Decision',         'The Federal Reserve',            'policy',      4, 0.25, 2, '%', 'FOMC'],
  [us, '14:00', inMonths(fedMinutes, 1, 3),  'medium', 'FOMC Minutes',              'minutes of the Fed',             'speech',      0,    0, 0, '',  'FOMC'],
  [us, '08:30', weekly(4),                   'medium', 'Initial Jobless Claims',    'US initial jobless claims',      'count',     226,    9, 0, 'K', 'jobs'],
  [us, '08:30', weekly(4),                   'low',    'Continuing Claims',         'US continuing jobless claims',   'count',    1940,   24, 0, 'K'],
  [us, '10:30', weekly(3),                   'low',    'Crude Oil Inventories',     'US crude stocks',                'balance',  -0.4,  2.6, 1, 'M', 'oil'],
  [us, '10:30', weekly(4),                   'low',    'Natural Gas Storage',       'US gas storage',                 'balance',    12,   38, 0, 'B'],
  [us, '07:00', weekly(3),                   'low',    'MBA Mortgages w/w',         'US mortgage applications',       'change',    0.4,    3, 1, '%'],
  [us, '12:00', weekly(2),                   'medium', 'Fed Governor speaks',       'a Fed governor',                 'speech',      0,    0, 0, '',  'Fed'],
  [us, '13:00', weekly(5),                   'low',    'Oil Rig Count',             'US oil rig count',               'count',     415,    6, 0, ''],
  [us, '09:45', monthly(4, 1),               'medium', 'Manufacturing PMI, flash',  'US factory survey',              'index',    51.4,  0.9, 1, '',  'PMI'],
  [eu, '11:00', monthly(1, 2),               'high',   'CPI y/y, flash',            'euro-area inflation',            'rate',      2.1, 0.15, 1, '%', 'CPI'],
  [eu, '14:15', inMonths(ecbMeetings, 2, 4), 'high',   'ECB Deposit Rate',          'The ECB',                        'policy',      2, 0.25, 2, '%', 'ECB'],
  [eu, '10:00', monthly(3, 5),               'high',   'Composite PMI, flash',      'euro-area composite survey',     'index',    51.2,  0.8, 1, '',  'PMI'],
  [eu, '16:00', monthly(4, 1),               'low',    'Consumer Confidence',       'euro-area consumer confidence',  'index',   -14.4,  0.7, 1, ''],
  [eu, '11:00', monthly(1, 4),               'low',    'Retail Sales m/m',          'euro-area retail sales',         'change',    0.1,  0.3, 1, '%'],
  [eu, '11:00', monthly(2, 5),               'low',    'Industrial Production m/m', 'euro-area industrial output',    'change',    0.1,  0.7, 1, '%'],
  [eu, '11:00', monthly(3, 1),               'low',    'Trade Balance',             'euro-area trade balance',        'balance',  11.2,  3.4, 1, 'B'],
  [eu, '15:00', weekly(1),                   'medium', 'ECB member speaks',         'an ECB board member',            'speech',      0,    0, 0, '',  'ECB'],
  [de, '10:00', monthly(4, 1),               'medium', 'Ifo Business Climate',      'German business climate',        'index',    88.6,  0.9, 1, ''],
  [de, '11:00', monthly(2, 2),               'medium', 'ZEW Economic Sentiment',    'German ZEW sentiment',           'index',      38,  6.5, 1, ''],
  [de, '08:00', monthly(1, 5),               'low',    'Industrial Production m/m', 'German industrial output',       'change',    0.1,    1, 1, '%'],
  [de, '08:00', monthly(4, 3),               'low',    'GfK Consumer Climate',      'German consumer climate',        'index',   -23.4,  1.1, 1, ''],
  [de, '09:30', monthly(3, 5),               'high',   'Manufacturing PMI, flash',  'German factory survey',          'index',    49.2,  0.8, 1, '',  'PMI'],
  [fr, '08:45', monthly(4, 4),               'low',    'Consumer Confidence',       'French consumer confidence',     'index',      89,  1.4, 0, ''],
  [gb, '07:00', monthly(3, 3),               'high',   'CPI y/y',                   'UK inflation',                   'rate',      3.4, 0.25, 1, '%', 'CPI'],
  [gb, '07:00', monthly(2, 2),               'medium', 'Claimant Count Change',     'UK claimant count',              'balance',    18,    9, 1, 'K'],
  [gb, '07:00', monthly(3, 5),               'high',   'Retail Sales m/m',          'UK retail sales',                'change',    0.2,  0.6, 1, '%', 'RetailSales'],
  [gb, '07:00', monthly(2, 4),               'medium', 'GDP m/m',                   'UK GDP',                         'change',    0.1,  0.2, 1, '%', 'GDP'],
  [gb, '00:01', monthly(3, 5),               'low',    'GfK Consumer Confidence',   'UK consumer confidence',         'index',     -18,  1.4, 0, ''],
  [gb, '12:00', inMonths(boeMeetings, 1, 4), 'high',   'BoE Bank Rate',             'The Bank of England',            'policy',      4, 0.25, 2, '%', 'BoE'],
  [jp, '08:30', monthly(3, 5),               'high',   'National CPI y/y',          'Japanese inflation',             'rate',      2.8,  0.2, 1, '%', 'CPI'],
  [jp, '08:50', monthly(1, 1),               'low',    'Monetary Base y/y',         'Japan monetary base',            'change',   -4.2,    1, 1, '%'],
  [jp, '08:50', monthly(2, 1),               'low',    'Current Account',           'Japan current account',          'balance',   2.6,  0.5, 2, 'T'],
  [jp, '08:30', monthly(4, 2),               'low',    'Jobless Rate',              'Japanese jobless rate',          'rate',      2.5,  0.1, 1, '%'],
  [jp, '12:00', inMonths(bojMeetings, 3, 5), 'high',   'BoJ Policy Rate',           'The Bank of Japan',              'policy',   0.75, 0.25, 2, '%', 'BoJ'],
  [cn, '09:30', monthly(2, 3),               'medium', 'CPI y/y',                   'Chinese consumer inflation',     'change',    0.3,  0.3, 1, '%', 'CPI'],
  [cn, '09:00', monthly(3, 4),               'medium', '1-Year Loan Prime Rate',    'the Chinese loan prime rate',    'rate',        3,    0, 2, '%'],
  [cn, '10:00', monthly(3, 1),               'medium', 'Industrial Production y/y', 'Chinese industrial output',      'change',    5.4,  0.5, 1, '%'],
  [cn, '09:45', monthly(1, 1),               'medium', 'Caixin Manufacturing PMI',  'Caixin factory survey',          'index',    50.4,  0.5, 1, '',  'PMI'],
  [au, '11:30', monthly(3, 4),               'high',   'Employment Change',         'Australian employment',          'balance',    22,   26, 1, 'K'],
  [au, '14:30', inMonths(rbaMeetings, 1, 2), 'high',   'RBA Cash Rate',             'The RBA',                        'policy',    3.6, 0.25, 2, '%', 'RBA'],
  [au, '10:30', monthly(2, 2),               'low',    'NAB Business Confidence',   'Australian business confidence', 'index',       5,  2.4, 0, ''],
  [nz, '10:45', monthly(4, 4),               'low',    'Trade Balance',             'New Zealand trade balance',      'balance',  -0.9,  0.5, 2, 'B'],
  [nz, '10:45', monthly(3, 1),               'low',    'Services PSI',              'New Zealand services index',     'index',    49.4,  1.2, 1, ''],
  [ca, '08:30', monthly(3, 2),               'high',   'CPI m/m',                   'Canadian consumer prices',       'change',    0.2,  0.2, 1, '%', 'CPI'],
  [ca, '08:30', monthly(2, 5),               'high',   'Employment Change',         'Canadian employment',            'balance',    14,   27, 1, 'K'],
  [ca, '08:30', monthly(4, 5),               'medium', 'GDP m/m',                   'Canadian GDP',                   'change',    0.1,  0.2, 1, '%', 'GDP'],
  [ch, '08:30', monthly(1, 4),               'medium', 'CPI m/m',                   'Swiss consumer prices',          'change',      0,  0.2, 1, '%', 'CPI'],
  [ch, '09:00', monthly(4, 5),               'low',    'KOF Leading Indicator',     'Swiss KOF indicator',            'index',   100.2,  1.3, 1, ''],
  [ch, '10:00', weekly(1),                   'low',    'SNB Sight Deposits',        'SNB sight deposits',             'count',     448,  2.5, 1, 'B'],
];

export const indicators: readonly Indicator[] = rows.map(
  ([[country, zone], time, schedule, impact, title, spoken, kind, base, spread, decimals, unit, tag]) => ({
    id: `${country} ${title}`,
    country,
    zone,
    time,
    schedule,
    impact,
    title,
    spoken,
    kind,
    base,
    spread,
    decimals,
    unit,
    ...(tag !== undefined && { tag }),
  }),
);
