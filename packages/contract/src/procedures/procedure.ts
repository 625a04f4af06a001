/** The declaration of a procedure. */
import type { z } from 'zod';
import type { ApiKeyScope, Role } from '../roles.ts';

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

export const procedure = <N extends string, A extends z.ZodType, R extends z.ZodType>(
  declaration: Procedure<N, A, R>,
): Procedure<N, A, R> => declaration;
