/** Whether messages of the user's classes come by mail, too. Stored on the server, which reads it for each message. */
import { classMailsSetting, parseClassMails } from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { failedWith, useRequest } from '../../../shared/form/index.ts';
import { OwnerSection } from '../../../shared/owner-section/OwnerSection.tsx';
import { useSignedIn } from '../../../shared/session/index.ts';
import { ErrorState, FormError, Skeleton, Switch } from '../../../shared/ui/index.ts';
import { ownSettingKey, saveOwnSetting, useOwnSetting } from '../../../shared/user-settings/index.ts';

function ClassMails() {
  const { supabase, user } = useSignedIn();
  const cache = useQueryClient();
  const { data: isOn, isError, refetch } = useOwnSetting('mails', parseClassMails);
  const { run, pending, error } = useRequest();
  if (isOn === undefined) {
    return isError ? (
      <ErrorState title="Failed to load the setting" onRetry={() => void refetch()} />
    ) : (
      <Skeleton className="h-11" />
    );
  }
  const save = async (next: boolean) => {
    await run(async () => {
      await saveOwnSetting(supabase, 'mails', { [classMailsSetting]: next });
      cache.setQueryData(ownSettingKey('mails', user.id), next);
      return null;
    }, failedWith('Failed to save the setting'));
  };
  return (
    <div className="max-w-lg">
      <Switch
        label="Messages of my classes"
        checked={isOn}
        onChange={(next) => void save(next)}
        note={pending ? 'Saving…' : null}
      />
      <p className="pr-12 text-12 text-text-2">
        What a tutor writes to a class comes as a notification. With this it is mailed to{' '}
        <bdi className="break-words">{user.email}</bdi>, too.
      </p>
      <FormError>{error}</FormError>
    </div>
  );
}

export function ClassMailsSection() {
  return (
    <OwnerSection title="Mails" lead="Mails about your password and email address are always sent.">
      <ClassMails />
    </OwnerSection>
  );
}
