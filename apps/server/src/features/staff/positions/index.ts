/** Positions for staff: one filter for the list and for the file. */
import type { StaffDependencies } from '../index.ts';
import { createPositionExports } from './export.ts';
import { createPositionList } from './list.ts';

export type { ExportedFile, PositionExports } from './export.ts';

export function createPositionLists(deps: StaffDependencies) {
  const exports = createPositionExports(deps);
  return {
    procedures: { list_positions: createPositionList(deps), export_positions: exports.procedure },
    exports,
  };
}
