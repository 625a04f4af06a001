/** Imports of users by an admin, in batches of a file; the same client id makes them repeatable (`importer.ts`). */
import type { ArgsOf, SignedIn } from '@fulcrum/contract';
import { toNumber } from '@fulcrum/domain';
import { lockStaffChanges } from '../identity/index.ts';
import type { EnrolmentDependencies } from './dependencies.ts';
import { createImporter } from './importer.ts';

export function createUserImport(deps: EnrolmentDependencies) {
  const importer = createImporter(deps);
  return {
    preview_user_import: async (_caller: SignedIn, args: ArgsOf<'preview_user_import'>) => ({
      rows: (await importer.judge(args.p_rows)).map(({ email, verdict, message, startBalance }) => ({
        ...{ email, verdict, message, start_balance: toNumber(startBalance) },
      })),
    }),

    /** @throws AccountError `session_ended`; AppError `busy` when too many mails wait */
    import_users: async (caller: SignedIn, args: ArgsOf<'import_users'>) => ({
      rows: await importer.run(args.p_rows, args.p_rows_in_all, {
        importId: args.p_import_id.toLowerCase(),
        links: args.p_links,
        actorId: caller.userId,
        lock: async (tx) => {
          await lockStaffChanges(tx, caller);
        },
      }),
    }),
  };
}
