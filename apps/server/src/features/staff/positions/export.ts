/**
 * `export_positions`: positions as a file (X-17, A77, A78). The nine stated columns stay together and in order; with
 * `p_with_ids` the user and the id stand before them, and the times in UTC after them.
 */
import type { ArgsOf } from '@fulcrum/contract';
import { positionFileHead, positionFileHeadWithIds } from '@fulcrum/domain';
import type { StaffDependencies } from '../dependencies.ts';
import type { FileExports } from '../exports/file-stream.ts';
import {
  buildFileName,
  type CsvRow,
  createDayFormatter,
  csvColumns,
  csvColumnsWithIds,
  toCells,
  toCellsWithIds,
} from './csv-file.ts';
import { filterSql, timeColumn } from './filter.ts';

export function createPositionExport(
  { db, market }: Pick<StaffDependencies, 'db' | 'market'>,
  exports: Pick<FileExports, 'define'>,
) {
  return exports.define('positions', async (caller, args: ArgsOf<'export_positions'>, at) => {
    const { p_status: status, p_with_ids } = args;
    const isWithIds = p_with_ids ?? false;
    const days = createDayFormatter(args.p_time_zone);
    const { account } = await filterSql(db, caller, args);
    return {
      fileName: buildFileName(status, account, days.stamp(at.getTime())),
      actions: { request: 'positions.request_export', end: 'positions.export' },
      subjectId: account?.ownerId ?? null,
      detail: {
        status,
        symbol: args.p_symbol ?? null,
        from: args.p_from ?? null,
        to: args.p_to ?? null,
        ...(isWithIds && { with_ids: true }),
        ...(account !== null && account.name !== null && { account_id: account.id }),
      },
      head: isWithIds ? positionFileHeadWithIds : positionFileHead,
      query: async (tx, holder) => {
        const { where, values, owner } = await filterSql(tx, holder, args);
        const [columns, users] = isWithIds
          ? [csvColumnsWithIds, `join app.users u on u.id = ${owner}`]
          : [csvColumns, ''];
        const order = `order by ${timeColumn[status]} desc, p.id desc`;
        return { text: `select ${columns} from app.positions p ${users} where ${where} ${order}`, values };
      },
      toCells: isWithIds
        ? (row: Parameters<typeof toCellsWithIds>[0]) => toCellsWithIds(row, market, days)
        : (row: CsvRow) => toCells(row, market, days),
    };
  });
}
