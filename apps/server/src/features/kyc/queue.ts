/**
 * `list_kyc_checks`: the queue of the review. Rows, total and the choices of the filter come from one snapshot. A page begins
 * after a row, so a decision meanwhile moves none past the reader.
 *
 * Known limitation: the total and a search read every attempt of the status.
 */
import type { ArgsOf, KycFilter, ResultOf, SignedIn } from '@fulcrum/contract';
import { isUuid } from '@fulcrum/domain';
import type { Clock } from '../../platform/clock/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database, Queryable } from '../../platform/database/index.ts';
import { substringPattern } from '../../platform/database/like-patterns.ts';
import { Parameters } from '../../platform/database/parameters.ts';
import { inReadSnapshot } from '../../platform/database/read-snapshot.ts';
import { readClaims } from './claims.ts';

type Args = ArgsOf<'list_kyc_checks'>;
type Result = ResultOf<'list_kyc_checks'>;

const pageRows = 50;
/** Choices of the filter: the largest first. */
const countriesMax = 100;

interface QueueDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Pick<Config, 'minAge'>;
}

/** The condition on `app.kyc_verifications v` joined with `app.users u`. */
export function kycFilterSql(filter: KycFilter, parameters: Parameters): string {
  const conditions = [`v.status = ${parameters.bind(filter.p_status, 'text')}`];
  const text = filter.p_search?.trim() ?? '';
  if (isUuid(text)) {
    const id = parameters.bind(text, 'uuid');
    conditions.push(`(v.id = ${id} or v.user_id = ${id})`);
  } else if (text !== '') {
    const part = parameters.bind(substringPattern(text), 'text');
    conditions.push(
      `(lower(u.username) like ${part} or u.email like ${part} or lower(v.document_number) like ${part})`,
    );
  }
  if (filter.p_country != null) conditions.push(`v.country = ${parameters.bind(filter.p_country, 'text')}`);
  if (filter.p_document_type != null) {
    conditions.push(`v.document_type = ${parameters.bind(filter.p_document_type, 'text')}`);
  }
  if (filter.p_attempt != null) conditions.push(`v.attempt ${filter.p_attempt === 'first' ? '= 1' : '> 1'}`);
  return conditions.join(' and ');
}

export const kycFilterFrom = 'app.kyc_verifications v join app.users u on u.id = v.user_id';

export function createQueue({ db, clock, config }: QueueDependencies) {
  return {
    list: (_caller: SignedIn, args: Args): Promise<Result> =>
      inReadSnapshot(db, async (tx) => {
        const now = new Date(clock.now());
        const rows = await readPage(tx, args);
        const claims = await readClaims(
          tx,
          rows.map(({ id }) => id),
          now,
        );
        return {
          checks: rows.slice(0, pageRows).map((row) => ({ ...row, claim: claims.get(row.id) ?? null })),
          is_more: rows.length > pageRows,
          total: await count(tx, args),
          countries: await readCountries(tx, args.p_status),
          min_age: config.minAge,
          at: now.toISOString(),
        };
      }),
  };
}

async function readPage(tx: Queryable, args: Args): Promise<Omit<Result['checks'][number], 'claim'>[]> {
  const parameters = new Parameters();
  const conditions = [kycFilterSql(args, parameters)];
  const [beyond, direction] = args.p_oldest_first ? ['>', 'asc'] : ['<', 'desc'];
  if (args.p_after != null) {
    const { submitted_at, id } = args.p_after;
    const row = `(${parameters.bind(submitted_at, 'timestamptz')}, ${parameters.bind(id, 'uuid')})`;
    conditions.push(`(v.submitted_at, v.id) ${beyond} ${row}`);
  }
  const { rows } = await tx.query<Omit<Result['checks'][number], 'claim'>>(
    `select v.id, v.user_id, u.username, u.email, v.attempt, v.country, v.document_type,
            to_json(v.date_of_birth) as date_of_birth, v.status, to_json(v.submitted_at) as submitted_at,
            to_json(v.reviewed_at) as reviewed_at, v.reject_type
     from ${kycFilterFrom} where ${conditions.join(' and ')}
     order by v.submitted_at ${direction}, v.id ${direction} limit ${pageRows + 1}`,
    parameters.values,
  );
  return rows;
}

async function count(tx: Queryable, filter: KycFilter): Promise<number> {
  const parameters = new Parameters();
  const { rows } = await tx.query<{ total: number }>(
    `select count(*)::int as total from ${kycFilterFrom} where ${kycFilterSql(filter, parameters)}`,
    parameters.values,
  );
  return rows[0]?.total ?? 0;
}

async function readCountries(tx: Queryable, status: KycFilter['p_status']): Promise<Result['countries']> {
  const { rows } = await tx.query<Result['countries'][number]>(
    `select country, count(*)::int as checks from app.kyc_verifications where status = $1
     group by country order by checks desc, country limit ${countriesMax}`,
    [status],
    'kyc_countries',
  );
  return rows;
}
