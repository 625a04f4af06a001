/**
 * The economic series of the calendar: names, places and hours as their offices publish them, and typical values of quiet
 * years. Hours are of the office's own clock. The figures of publications are generated.
 */
const zones = {
  US: 'America/New_York',
  CA: 'America/New_York',
  EU: 'Europe/Berlin',
  DE: 'Europe/Berlin',
  CH: 'Europe/Berlin',
  GB: 'Europe/London',
  JP: 'Asia/Tokyo',
  CN: 'Asia/Shanghai',
  AU: 'Australia/Sydney',
  NZ: 'Pacific/Auckland',
} as const;
type Country = keyof typeof zones;

/** `signed` figures show their sign, `policy` is a central bank's own rate, `speech` has no figure. */
type Kind = 'level' | 'signed' | 'policy' | 'speech';

/**
 * The weekday counts from Monday, 1. The week counts within the month; 0 is every week. The third figure limits it to the
 * months that leave this remainder by three: quarterly.
 */
type Schedule = readonly [week: 0 | 1 | 2 | 3 | 4, weekday: 1 | 2 | 3 | 4 | 5, quarterly?: 0 | 1 | 2];

type Row = readonly [
  country: Country,
  time: string,
  schedule: Schedule,
  impact: 'high' | 'medium' | 'low',
  title: string,
  kind: Kind,
  base: number,
  /** How far it strays from `base`, at most twice. */
  spread: number,
  decimals: number,
  unit: '%' | 'K' | 'M' | 'B' | '',
  /** Common short name. */
  tag?: string,
];

// biome-ignore format: a table is read by its columns
const rows: readonly Row[] = [
  ['US', '08:30', [1, 5],    'high',   'Nonfarm Payrolls',          'level',   135,   70, 0, 'K', 'NFP'],
  ['US', '08:30', [1, 5],    'high',   'Unemployment Rate',         'level',   4.3,  0.2, 1, '%', 'jobs'],
  ['US', '08:15', [1, 3],    'medium', 'ADP Employment Change',     'level',    95,   40, 0, 'K', 'jobs'],
  ['US', '10:00', [1, 1],    'high',   'ISM Manufacturing PMI',     'level',  49.2,  1.1, 1, '',  'ISM'],
  ['US', '10:00', [1, 3],    'high',   'ISM Services PMI',          'level',    52,  1.2, 1, '',  'ISM'],
  ['US', '10:00', [2, 2],    'medium', 'JOLTS Job Openings',        'level',   7.2, 0.25, 2, 'M', 'jobs'],
  ['US', '08:30', [2, 3],    'high',   'CPI y/y',                   'level',   2.8,  0.2, 1, '%', 'CPI'],
  ['US', '08:30', [2, 4],    'medium', 'PPI m/m',                   'signed',  0.2,  0.2, 1, '%', 'PPI'],
  ['US', '10:00', [2, 5],    'medium', 'UoM Sentiment, prelim.',    'level',    60,  3.5, 1, ''],
  ['US', '08:30', [3, 2],    'high',   'Retail Sales m/m',          'signed',  0.3,  0.4, 1, '%', 'RetailSales'],
  ['US', '08:30', [3, 3],    'medium', 'Housing Starts',            'level',  1.36, 0.06, 2, 'M'],
  ['US', '08:30', [3, 4],    'low',    'Philly Fed Index',          'level',     3,    9, 1, ''],
  ['US', '14:00', [3, 3, 0], 'high',   'Fed Rate Decision',         'policy',    4, 0.25, 2, '%', 'FOMC'],
  ['US', '10:00', [4, 2],    'high',   'CB Consumer Confidence',    'level',    97,  3.2, 1, ''],
  ['US', '08:30', [4, 3],    'medium', 'Durable Goods m/m',         'signed',  0.3,  1.6, 1, '%'],
  ['US', '08:30', [4, 4, 1], 'high',   'GDP q/q, annualised',       'level',   2.2,  0.8, 1, '%', 'GDP'],
  ['US', '08:30', [4, 5],    'high',   'Core PCE Price Index m/m',  'signed',  0.2,  0.1, 1, '%', 'PCE'],
  ['US', '12:00', [0, 2],    'medium', 'Fed Governor speaks',       'speech',    0,    0, 0, '',  'Fed'],
  ['US', '07:00', [0, 3],    'low',    'MBA Mortgages w/w',         'signed',  0.4,    3, 1, '%'],
  ['US', '10:30', [0, 3],    'low',    'Crude Oil Inventories',     'signed', -0.4,  2.6, 1, 'M', 'oil'],
  ['US', '08:30', [0, 4],    'medium', 'Initial Jobless Claims',    'level',   226,    9, 0, 'K', 'jobs'],
  ['US', '08:30', [0, 4],    'low',    'Continuing Claims',         'level',  1940,   24, 0, 'K'],
  ['US', '10:30', [0, 4],    'low',    'Natural Gas Storage',       'signed',   12,   38, 0, 'B'],
  ['US', '13:00', [0, 5],    'low',    'Oil Rig Count',             'level',   415,    6, 0, ''],
  ['EU', '15:00', [0, 1],    'medium', 'ECB member speaks',         'speech',    0,    0, 0, '',  'ECB'],
  ['EU', '11:00', [1, 2],    'high',   'CPI y/y, flash',            'level',   2.1, 0.15, 1, '%', 'CPI'],
  ['EU', '14:15', [2, 4, 0], 'high',   'ECB Deposit Rate',          'policy',    2, 0.25, 2, '%', 'ECB'],
  ['EU', '11:00', [2, 5],    'low',    'Industrial Production m/m', 'signed',  0.1,  0.7, 1, '%'],
  ['EU', '10:00', [3, 5],    'high',   'Composite PMI, flash',      'level',  51.2,  0.8, 1, '',  'PMI'],
  ['EU', '16:00', [4, 1],    'low',    'Consumer Confidence',       'level', -14.4,  0.7, 1, ''],
  ['DE', '11:00', [2, 2],    'medium', 'ZEW Economic Sentiment',    'level',    38,  6.5, 1, ''],
  ['DE', '10:00', [4, 1],    'medium', 'Ifo Business Climate',      'level',  88.6,  0.9, 1, ''],
  ['CH', '10:00', [0, 1],    'low',    'SNB Sight Deposits',        'level',   448,  2.5, 1, 'B'],
  ['GB', '12:00', [1, 4, 2], 'high',   'BoE Bank Rate',             'policy',    4, 0.25, 2, '%', 'BoE'],
  ['GB', '07:00', [2, 4],    'medium', 'GDP m/m',                   'signed',  0.1,  0.2, 1, '%', 'GDP'],
  ['GB', '07:00', [3, 3],    'high',   'CPI y/y',                   'level',   3.4, 0.25, 1, '%', 'CPI'],
  ['JP', '08:30', [3, 5],    'high',   'National CPI y/y',          'level',   2.8,  0.2, 1, '%', 'CPI'],
  ['JP', '12:00', [3, 5, 1], 'high',   'BoJ Policy Rate',           'policy', 0.75, 0.25, 2, '%', 'BoJ'],
  ['JP', '08:30', [4, 2],    'low',    'Jobless Rate',              'level',   2.5,  0.1, 1, '%'],
  ['CN', '09:45', [1, 1],    'medium', 'Caixin Manufacturing PMI',  'level',  50.4,  0.5, 1, '',  'PMI'],
  ['CN', '10:00', [3, 1],    'medium', 'Industrial Production y/y', 'signed',  5.4,  0.5, 1, '%'],
  ['AU', '14:30', [1, 2, 2], 'high',   'RBA Cash Rate',             'policy',  3.6, 0.25, 2, '%', 'RBA'],
  ['AU', '11:30', [3, 4],    'high',   'Employment Change',         'signed',   22,   20, 1, 'K'],
  ['CA', '08:30', [3, 2],    'high',   'CPI m/m',                   'signed',  0.2,  0.2, 1, '%', 'CPI'],
  ['NZ', '10:45', [4, 4],    'low',    'Trade Balance',             'signed', -0.9,  0.5, 2, 'B'],
];

export const indicators = rows.map(
  ([country, time, schedule, impact, title, kind, base, spread, decimals, unit, tag]) => ({
    id: `${country} ${title}`,
    zone: zones[country],
    ...{ country, time, schedule, impact, title, kind, base, spread, decimals, unit, tag },
  }),
);
export type Indicator = (typeof indicators)[number];
