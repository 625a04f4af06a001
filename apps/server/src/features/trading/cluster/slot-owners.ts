/** Which engine owns which slot, as PostgreSQL has it. */
import type { Queryable } from '../../../platform/database/index.ts';

export interface SlotOwners {
  /** The engine of each slot by its id; null for one without. */
  readonly engines: readonly (number | null)[];
  /** Engines that have not ended: no other one can write any more. */
  readonly living: ReadonlySet<number>;
}

/** One statement, so that both are of one moment. */
export async function readSlotOwners(db: Queryable): Promise<SlotOwners> {
  const { rows } = await db.query<{ engines: (number | null)[]; living: number[] }>(
    `select (select json_agg(engine order by slot) from app.engine_slots) as engines,
            (select coalesce(json_agg(id), '[]') from app.engines where ended_at is null) as living`,
    [],
    'slot_owners',
  );
  const [row] = rows;
  return { engines: row?.engines ?? [], living: new Set(row?.living) };
}
