/** Positions for staff: the list and the file share one filter. */
import type { StaffDependencies } from '../dependencies.ts';
import type { FileExports } from '../exports/file-stream.ts';
import { createPositionExport } from './export.ts';
import { createPositionList } from './list.ts';

export const createPositionLists = (deps: StaffDependencies, exports: FileExports) => ({
  list_positions: createPositionList(deps),
  export_positions: createPositionExport(deps, exports),
});
