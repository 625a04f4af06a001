/** docs/api.md: each example runs as printed, in a process of its own, against a real server; its tables are true. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ccxt from 'ccxt';
import { beforeEach, describe, expect, test } from 'vitest';
import { exchangeErrorRows } from '../../src/protocols/openapi/error-rows.ts';
import { type Bot, door, shareDoor } from './door.ts';

const page = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8');
const here = fileURLToPath(new URL('.', import.meta.url));
const guard = fileURLToPath(new URL('./guard-process.ts', import.meta.url));
const run = promisify(execFile);

interface Example {
  readonly heading: string;
  readonly language: string;
  readonly text: string;
}
/** Fenced blocks, each with the heading above it. */
const examples: Example[] = page.split(/^#{2,3} /m).flatMap((section) =>
  [...section.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language = '', text = '']) => ({
    ...{ heading: section.split('\n', 1)[0] ?? '', language, text },
  })),
);

let bot: Bot;
shareDoor();
beforeEach(async () => {
  door.feed.setPrice('BTCUSDT', '60000');
  bot = await door.join();
});

/** Puts the address and the key in and leaves the rest as it is. */
function filled(text: string): string {
  const parts = {
    'http://127.0.0.1:3000': door.server.url,
    paper_your_key: bot.key.apiKey,
    your_secret: bot.key.secret,
  };
  return Object.entries(parts).reduce((so, [printed, real]) => {
    expect(so).toContain(printed);
    return so.replaceAll(printed, real);
  }, text);
}

async function outputOf({ language, text }: Example): Promise<string> {
  const options = { cwd: here, env: { PATH: process.env.PATH }, timeout: 40_000 };
  const [program, args]: [string, string[]] =
    language === 'sh'
      ? ['sh', ['-c', filled(text)]]
      : [process.execPath, ['--import', guard, '--input-type=module', '--eval', filled(text)]];
  const { stdout } = await run(program, args, options);
  return stdout;
}

/** What each prints; a heading without an entry is one that the page calls "not run". */
const expected: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  ccxt: ['closed at 60000\n', /long 0\.01, liquidation at 5\d{4}/, /\d+(\.\d+)? USDT/],
  'ccxt.pro': [/best bid 5\d{4}/, 'buy 0.01 waits at 50000'],
  "Binance's own SDK": ['FILLED at 60000\n', 'FILLED over the socket'],
  binance: ['filled at 60000\n'],
  'node-binance-api': ['FILLED at 60000\n'],
  'binance-api-node': ['FILLED at 60000\n'],
  curl: ['"status":"FILLED"', '"avgPrice":"60000"'],
  'Our own interface': ['bought 0.01 at 60000\n', "symbol: 'BTCUSDT'"],
  'Agents (MCP)': ['account positions quote', 'BTC at 60000\n', 'the order is FILLED\n'],
};

describe('examples', () => {
  const executed = examples.filter(({ language }) => language === 'js' || language === 'sh');

  test('A119: every example is run, or is marked as not run', () => {
    expect(executed.map(({ heading }) => heading)).toEqual(Object.keys(expected));
    const others = page.split(/^#{2,3} /m).filter((section) => /```(python|json)/.test(section));
    expect(others.map((section) => section.split('\n', 1)[0])).toEqual([
      'ccxt in Python',
      'freqtrade',
      'Configuration of an agent',
    ]);
    for (const section of others) expect(section).toMatch(/^[^\n]+\n\nNot run[.:]/);
  });

  test.each(executed)('A119: $heading, as printed', async (example) => {
    const output = await outputOf(example);
    for (const part of expected[example.heading] ?? []) expect(output).toMatch(part);
    const { body } = await bot.get('v1/allOrders');
    expect(body.length).toBeGreaterThan(0);
  });

  test('A119: an example that connects to another machine would fail', async () => {
    const foreign: Example = {
      ...{ heading: '', language: 'js' },
      text: "void ['http://127.0.0.1:3000', 'paper_your_key', 'your_secret']; await fetch('https://fapi.example.test').catch(() => {});",
    };
    await expect(outputOf(foreign)).rejects.toMatchObject({ code: 99 });
  });

  test('A119: the settings for freqtrade are JSON, with the addresses that ccxt gets', () => {
    const [settings] = examples.filter(({ language }) => language === 'json');
    const { demo } = JSON.parse(settings?.text ?? '').exchange.ccxt_config.urls;
    const ccxt = examples.find(({ heading }) => heading === 'ccxt')?.text ?? '';
    for (const [name, address] of Object.entries<string>(demo)) {
      const path = address.replace('http://127.0.0.1:3000', '');
      const version = /^\/fapi\/(v\d)$/.exec(path)?.[1];
      const printed = version === undefined ? `${name}: \`\${url}${path}\`` : `${name}: fapi('${version}')`;
      expect(ccxt).toContain(printed);
    }
  });
});

/** Codes of the table of errors, each with the class that the page names; `*` is one that ccxt knows at some addresses only. */
function documentedErrors(): (readonly [code: number, ccxtClass: string])[] {
  const section = page.split(/^## /m).find((part) => part.startsWith('Errors\n')) ?? '';
  return [...section.matchAll(/^\| (-[-\d, ]+) \| .* \| (\w+\*?) \|$/gm)].flatMap(
    ([, codes = '', name = '']) => codes.split(',').map((code) => [Number(code), name] as const),
  );
}

test('A119: the table of errors has every code that the server answers, once', () => {
  // Of listen keys; the streams answer it.
  const answered = new Set([...exchangeErrorRows().map(({ code }) => Number(code)), -1125]);
  const codes = documentedErrors().map(([code]) => code);
  expect(codes.toSorted((a, b) => a - b)).toEqual([...answered].toSorted((a, b) => a - b));
});

test('A119: the classes are those of ccxt, which looks at the text before the code', () => {
  type Classes = Readonly<Record<string, { readonly name: string } | undefined>>;
  const { exact, linear } = new ccxt.binanceusdm().exceptions as {
    exact: Classes;
    linear: { exact: Classes };
  };
  const classesOf = (code: number): string[] => {
    const byText = exchangeErrorRows()
      .filter((row) => row.code === code)
      .flatMap(({ message }) => exact[message]?.name ?? []);
    const atSomeAddresses = linear.exact[code]?.name;
    const byCode =
      exact[code]?.name ?? (atSomeAddresses === undefined ? 'ExchangeError' : `${atSomeAddresses}*`);
    return [...byText, byCode];
  };
  const wrong = documentedErrors().filter(([code, name]) => classesOf(code)[0] !== name);
  expect(wrong).toEqual([]);
});
