/**
 * `npm run audit:verify`: proves that no row of the audit log was changed, removed or inserted, with or without a running
 * server. It prints the head of the chain, which can be recorded elsewhere; `-- --head SEQ:HASH` proves that a recorded head
 * is still in the chain. Exits with 1 and names the first broken link.
 */
import { parseArgs } from 'node:util';
import { type ChainHead, parseHead, verifyAuditChain } from '../apps/server/src/features/audit/index.ts';
import { refuseUnfinishedDirectory } from '../apps/server/src/platform/backup/index.ts';
import { loadConfig } from '../apps/server/src/platform/config/index.ts';
import { withDatabase } from '../apps/server/src/platform/database/index.ts';
import { createLog } from '../apps/server/src/platform/log/index.ts';
import { StartError } from '../apps/server/src/platform/start-error.ts';
import { runTool } from './tools.ts';

await runTool(async () => {
  const { values } = parseArgs({ options: { head: { type: 'string' } } });
  const noted = values.head === undefined ? null : headOf(values.head);
  const config = loadConfig(process.env);
  refuseUnfinishedDirectory(config.dataDir);
  const startedAt = performance.now();
  const verdict = await withDatabase(
    config,
    createLog({ logLevel: 'warn' }),
    async (owner) => {
      const { rows } = await owner.query<{ exists: boolean }>(
        `select to_regclass('app.audit_chain') is not null as exists`,
      );
      if (!rows[0]?.exists) {
        throw new StartError('this database has no chain yet; start this version of the server on it once');
      }
      return verifyAuditChain(
        {
          query: async <Row>(text: string, given: readonly unknown[] = []) => {
            const { rows, rowCount } = await owner.query(text, [...given]);
            return { rows: rows as Row[], rowCount: rowCount ?? 0 };
          },
        },
        noted,
      );
    },
    { schema: 'untouched' },
  );
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`Recomputed ${verdict.links} links of the audit log in ${seconds} s.`);
  console.log(`  head          ${verdict.head.seq}:${verdict.head.hash}`);
  if (noted !== null && verdict.fault === null) console.log(`  noted head    ${noted.seq} is in the chain`);
  if (verdict.fault === null) return console.log('The audit log is whole.');
  throw new StartError(`The audit log is NOT whole: ${verdict.fault}.`);
});

function headOf(text: string): ChainHead {
  const head = parseHead(text);
  if (head === null) throw new StartError('--head takes what this command printed: SEQ:HASH');
  return head;
}
