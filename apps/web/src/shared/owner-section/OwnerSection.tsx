/** A section of settings that only the account's owner may use. An impersonation shows a notice instead (A45). */
import { texts } from '@fulcrum/contract/texts';
import type { ComponentProps } from 'react';
import { useSignedIn } from '../session/index.ts';
import { ImpersonationNotice, Section } from '../ui/Section.tsx';

interface OwnerSectionProps extends ComponentProps<typeof Section> {
  readonly notice?: string;
}

export function OwnerSection({
  notice = texts.notWhileImpersonating,
  children,
  ...section
}: OwnerSectionProps) {
  const { impersonation } = useSignedIn();
  return (
    <Section {...section}>
      {impersonation === null ? children : <ImpersonationNotice>{notice}</ImpersonationNotice>}
    </Section>
  );
}
