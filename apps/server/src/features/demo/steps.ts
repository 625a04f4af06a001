/** The steps of the demo's past that are written, each once in the life of a database. */
import type { Queryable } from '../../platform/database/index.ts';

export async function readSteps(db: Queryable): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ step: string }>(`select step from app.demo_steps`);
  return new Set(rows.map(({ step }) => step));
}

/** In the transaction of what the step writes. @throws where it is written already */
export async function recordStep(tx: Queryable, step: string): Promise<void> {
  await tx.query(`insert into app.demo_steps (step) values ($1)`, [step]);
}
