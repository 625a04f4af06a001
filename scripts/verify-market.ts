/**
 * `npm run verify-market -- FILE [--commitment SHA256] [--result SHA256]`: computes every price of a contest on a simulated market again, from the
 * market file and without a server or a database. With the hashes that were noted at the begin and from the result, or from a certificate, it proves
 * that both are the same. Exits with 1 and states which price disagrees.
 */
import { parseArgs } from 'node:util';
import {
  checkMarketFile,
  MarketFileFault,
  type MarketReport,
  type UnprovenReason,
} from '../apps/server/src/features/programs/index.ts';
import { StartError } from '../apps/server/src/platform/start-error.ts';
import { fileOf, readText, runTool } from './tools.ts';

const usage = 'npm run verify-market -- FILE [--commitment SHA256] [--result SHA256]';
const disagreementsShown = 20;

function requireHash(what: string, noted: string | undefined, found: string): void {
  if (noted !== undefined && noted.toLowerCase() !== found)
    throw new MarketFileFault(`the ${what} is not the noted one: its SHA-256 is ${found}`);
}

const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
/** A later end is stated. */
const lateMsMax = 60_000;

const reasons: Readonly<Record<UnprovenReason, string>> = {
  uncovered: 'not simulated at the begin',
  elsewhere: 'not simulated at that instant',
  rescaled: 'simulated by a factor that was not committed to',
  old_mark: 'closed at a price that was not live',
  unknown_source: 'whose source is not known',
  payment: 'of closes that paid for the other side of their symbol',
  unlisted: 'not in the sample',
};

function print(report: MarketReport): void {
  const { contest, commitment, result, days, shocks, traded, closing, oldestMs, early, unproven } = report;
  const sample = traded.listed === traded.total ? '' : `, a sample of ${traded.total}`;
  console.log(`The market of the contest ${contest.name}`);
  console.log(`  from          ${contest.begins_at} to ${contest.ends_at}`);
  console.log(`  commitment    SHA-256 ${commitment.sha256}, published ${commitment.publishedAt}`);
  const afterBegin = Date.parse(commitment.publishedAt) - Date.parse(contest.begins_at);
  console.log(`                ${secondsOf(afterBegin)} after the begin`);
  if (early.count > 0)
    console.log(
      `                ${early.count} of the prices were traded at before it, up to ${secondsOf(early.ms)}`,
    );
  console.log(`  audit chain   ${commitment.audit.seq}:${commitment.audit.hash}`);
  console.log(`  result        SHA-256 ${result.sha256}`);
  console.log(`  audit chain   ${result.audit.seq}:${result.audit.hash}`);
  console.log(`  keys          of ${days[0]} to ${days[1]}, as committed to`);
  console.log(`  shocks        ${shocks.before} before the contest, ${shocks.during} during it`);
  console.log(`  traded at     ${traded.checked} of ${traded.listed} prices computed again${sample}`);
  if (traded.checked > 0) console.log(`  age           at most ${secondsOf(oldestMs)} when traded at`);
  console.log(`  closing       ${closing.checked} of ${closing.listed} prices computed again`);
  if (closing.lateMs > lateMsMax) console.log(`                ${secondsOf(closing.lateMs)} after the end`);
  for (const { symbol, state, at } of closing.others)
    console.log(`                ${symbol} was ${state}: its price is of ${at}`);
  for (const { reason, count, symbols } of unproven) {
    const of = symbols.length === 0 ? '' : ` of ${symbols.join(', ')}`;
    console.log(`Not proved: ${count === 1 ? '1 price' : `${count} prices`}${of}, ${reasons[reason]}.`);
  }
}

await runTool(async () => {
  const { values, positionals } = parseArgs({
    options: { commitment: { type: 'string' }, result: { type: 'string' } },
    allowPositionals: true,
  });
  try {
    const report = checkMarketFile(readText(fileOf(positionals, usage)));
    requireHash('commitment', values.commitment, report.commitment.sha256);
    requireHash('result', values.result, report.result.sha256);
    print(report);
    const { disagreements } = report;
    for (const { what, symbol, at, stated, computed } of disagreements.slice(0, disagreementsShown)) {
      console.log(`  ${symbol} ${new Date(at).toISOString()} ${what}: ${stated}, computed ${computed}`);
    }
    if (disagreements.length > 0)
      throw new MarketFileFault(
        disagreements.length === 1 ? '1 price disagrees' : `${disagreements.length} prices disagree`,
      );
    if (values.commitment === undefined || values.result === undefined)
      console.log(
        'Compare both SHA-256 with those that were noted, or give them as --commitment and --result.',
      );
    const left = report.unproven.reduce((sum, { count }) => sum + count, 0);
    const notProved = left === 0 ? '' : `; ${left} ${left === 1 ? 'is' : 'are'} not proved`;
    console.log(`Every computed price agrees${notProved}.`);
  } catch (error) {
    throw error instanceof MarketFileFault ? new StartError(`NOT valid: ${error.message}`) : error;
  }
});
