/**
 * `npm run verify-certificate -- FILE [--result DOCUMENT] [--key FINGERPRINT]`: proves without a server that a certificate of a contest or a
 * challenge was signed and not changed; with the document of the result also that it states the same, and with the fingerprint that the key is the expected one.
 * Exits with 1 and states what is wrong.
 */
import { parseArgs } from 'node:util';
import {
  CertificateFault,
  passedStepsOf,
  readCertificate,
  requireResult,
} from '../apps/server/src/features/programs/index.ts';
import { StartError } from '../apps/server/src/platform/start-error.ts';
import { fileOf, readText, runTool } from './tools.ts';

const usage = 'npm run verify-certificate -- FILE [--result DOCUMENT] [--key FINGERPRINT]';

type Stated = ReturnType<typeof readCertificate>['statement'];

const contestLines = ({ contest, entrant, entrants, result }: Extract<Stated, { contest: unknown }>) => [
  `${entrant.username} (entrant ${entrant.number}) in the contest ${contest.name}`,
  `  from          ${contest.begins_at} to ${contest.ends_at}`,
  `  rank          ${result.rank ?? 'not ranked'} of ${entrants}`,
  `  return        ${result.return_pct} %, score ${result.score ?? 'none'}, ${result.trades} trades`,
];

const challengeLines = (stated: Extract<Stated, { challenge: unknown }>) => {
  const { challenge, entrant } = stated;
  return [
    `${entrant.username} (attempt ${entrant.number}) has passed the challenge ${challenge.name}`,
    `  from          ${challenge.begins_at} to ${challenge.ends_at}`,
    ...passedStepsOf(stated).map(
      ({ step, decidedAt, profit, profitNeeded, tradingDays }) =>
        `  step ${step}        ${decidedAt}, profit ${profit} USDT of ${profitNeeded} needed, trading days: ${tradingDays}`,
    ),
  ];
};

await runTool(async () => {
  const { values, positionals } = parseArgs({
    options: { result: { type: 'string' }, key: { type: 'string' } },
    allowPositionals: true,
  });
  try {
    const { statement, fingerprint } = readCertificate(readText(fileOf(positionals, usage)));
    if (values.key !== undefined && values.key.toLowerCase() !== fingerprint)
      throw new CertificateFault(`it is signed by another key: ${fingerprint}`);
    if (values.result !== undefined) requireResult(statement, readText(fileOf([values.result], usage)));
    const { audit } = statement;
    for (const line of 'contest' in statement ? contestLines(statement) : challengeLines(statement))
      console.log(line);
    console.log(`  result        SHA-256 ${statement.result_sha256}`);
    console.log(`  audit chain   ${audit.seq}:${audit.hash}`);
    console.log(`  signed by     ${fingerprint}`);
    console.log('The signature is right.');
    if (values.result !== undefined) console.log('The document of the result states the same.');
    if (values.key === undefined)
      console.log('Compare the key with the one that the school publishes, or give it as --key.');
  } catch (error) {
    throw error instanceof CertificateFault ? new StartError(`NOT valid: ${error.message}`) : error;
  }
});
