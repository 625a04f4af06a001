/** The declaration of a procedure. */
import { z } from 'zod';
import { type ApiKeyScope, managingRoles, type Role } from '../roles.ts';

export interface Procedure<
  Name extends string = string,
  Args extends z.ZodType = z.ZodType,
  Result extends z.ZodType = z.ZodType,
> {
  readonly name: Name;
  readonly args: Args;
  readonly result: Result;
  readonly roles: readonly Role[];
  /** `command` changes something and needs POST; `query` may also come as GET. */
  readonly kind: 'command' | 'query';
  /** Whether staff may call it during impersonation (A45); absent: refused. */
  readonly whileImpersonating?: 'allowed';
  /** The scope that an API key needs for it; absent: refused to every key. */
  readonly apiKey?: ApiKeyScope;
}

const noArguments = z.strictObject({});

const declare =
  <K extends Procedure['kind']>(kind: K) =>
  <N extends string, R extends z.ZodType, A extends z.ZodType = typeof noArguments>(
    name: N,
    { args, ...terms }: Omit<Procedure<N, A, R>, 'name' | 'kind' | 'args'> & { readonly args?: A },
  ): Procedure<N, A, R> => ({
    ...{ name, kind, ...terms },
    // Sound: where they are absent, `A` is its default.
    args: args ?? (noArguments as z.ZodType as A),
  });
export const command = declare('command');
export const query = declare('query');

/** Who may call what a trader reads: staff who impersonate one as well, and every API key. */
export const traderReads = { roles: ['trader'], whileImpersonating: 'allowed', apiKey: 'read' } as const;
/** Who may call what trades. */
export const traderTrades = { ...traderReads, apiKey: 'trade' } as const;
/** Who may call what reads contests and challenges: no API key. */
export const programReads = { roles: ['trader', ...managingRoles], whileImpersonating: 'allowed' } as const;
