/** Positions for staff: the list and the file share one filter. */
import type { StaffDependencies } from '../dependencies.ts';
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
