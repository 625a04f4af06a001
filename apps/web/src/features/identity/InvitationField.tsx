/** The code of an invitation on the registration form, with what the invitation gives. */
import { formatInvitationCode, parseInvitationCode } from '@fulcrum/domain';
import { useEffect, useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { formatAmount } from '../../shared/numbers/index.ts';
import { openClient } from '../../shared/session/index.ts';
import { getErrorMessage, unwrap } from '../../shared/supabase/index.ts';
import { TextField } from '../../shared/ui/index.ts';

interface InvitationFieldProps {
  readonly initialCode: string;
  /** Refused registrations: the invitation is read again after each, because it may be used up by now. */
  readonly refusals: number;
  readonly error: string | undefined;
}

type Found = { readonly hint: string } | { readonly objection: string } | null;

async function findInvitation(code: string): Promise<Found> {
  try {
    const { rest } = await openClient();
    const { start_balance, class_name } = await unwrap(rest.rpc('get_invitation', { p_code: code }));
    const gains = [
      ...(start_balance === null ? [] : [`you start with ${formatAmount(start_balance)} USDT`]),
      ...(class_name === null ? [] : [`you join ${class_name}`]),
    ];
    return { hint: `The invitation is valid${gains.length === 0 ? '' : `: ${gains.join(' and ')}`}.` };
  } catch (cause) {
    log.warn('The invitation could not be read', cause);
    return { objection: getErrorMessage(cause, 'The invitation could not be checked.') };
  }
}

export default function InvitationField({ initialCode, refusals, error }: InvitationFieldProps) {
  const [code, setCode] = useState(() => {
    const stored = parseInvitationCode(initialCode);
    return stored === null ? initialCode : formatInvitationCode(stored);
  });
  const [found, setFound] = useState<Found>(null);
  const parsed = parseInvitationCode(code);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal reads it again
  useEffect(() => {
    setFound(null);
    if (parsed === null) return;
    let isLeft = false;
    findInvitation(parsed)
      .then((answer) => isLeft || setFound(answer))
      .catch((cause: unknown) => log.error('Reading the invitation failed', cause));
    return () => {
      isLeft = true;
    };
  }, [parsed, refusals]);
  return (
    <TextField
      name="invitationCode"
      label="Invitation code"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      placeholder="ABCDE-12345"
      maxLength={40}
      value={code}
      onChange={(event) => setCode(event.target.value)}
      hint={error === undefined && found !== null && 'hint' in found ? found.hint : undefined}
      error={error ?? (found !== null && 'objection' in found ? found.objection : undefined)}
    />
  );
}
